"""Tables of regret by decade and of times."""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from unirank.cli.output import say, table
from unirank.cli.panels import FigurePanel
from unirank.errors import ArgumentError
from unirank.lab.simulation import Trace
from unirank.lab.summary import gained, pooled, regret_rows
from unirank.lab.timing import HEADER, Timing
from unirank.markdown import markdown_table
from unirank.policies.base.facts import display_label

MOST_DECADES = 5  # what 80 columns hold; --json has them all
HEAD = ("policy", "round", "games", "mean ± standard error", "median", "95th percentile", "worst")
TAILS = ("policy", "rounds", "mean", "median", "95 %", "worst")


def print_regret(
    console: Console, title: str, traces: Sequence[Trace], *, tails: bool = False
) -> None:
    """Print mean regret, plus or minus its standard error, by policy and decade, part by part.

    With `tails`, also the median, the 95th percentile and the worst of the games.
    """
    games = " or ".join(sorted({str(trace.n_games) for trace in traces}))
    console.print(title, style="bold", highlight=False)
    for part in dict.fromkeys(trace.part for trace in traces):
        if part:
            say(console, f"\n{part}")
        mine = [trace for trace in traces if trace.part == part]
        console.print(tails_table(mine) if tails else fitting_table(console, mine))
    say(console, f"regret ({traces[0].lost}): mean ± standard error over {games} games")


def print_gain(console: Console, traces: Sequence[Trace], order: Sequence[int]) -> None:
    """Print the mean clicks gained against an order, by policy and decade."""
    console.print(fitting_table(console, [gained(trace, order) for trace in traces]))
    words = f"{traces[0].gained} against {', '.join(map(str, order))}"
    say(console, f"{words}: mean ± standard error")


def fitting_table(console: Console, traces: Sequence[Trace]) -> Table:
    """Return a table of the last decades that fit."""
    room = console.options.update(max_width=1000)
    for n_decades in range(MOST_DECADES, 1, -1):
        found = regret_table(traces, n_decades)
        if console.measure(found, options=room).maximum <= console.width:
            return found
    return regret_table(traces, 1)


def regret_table(traces: Sequence[Trace], n_decades: int) -> Table:
    """Return a row per policy and a column per decade."""
    rows = regret_rows(traces)
    rounds = sorted({row["round"] for row in rows})[-n_decades:]
    cells = {(row["policy"], row["round"]): _cell(row) for row in rows}
    return table(
        ["rounds", *(f"{round_:,}" for round_ in rounds)],
        [
            [name, *(cells.get((label, round_), "") for round_ in rounds)]
            for label, name in names_of(traces).items()
        ],
    )


def tails_table(traces: Sequence[Trace]) -> Table:
    """Return a row per policy and decade: the columns are how the games spread."""
    names = names_of(traces)
    return table(TAILS, [[names[row["policy"]], *_numbers(row)] for row in regret_rows(traces)])


def names_of(traces: Sequence[Trace]) -> dict[str, str]:
    """Return the names for people, by label; JSON and CSV have the labels."""
    return {trace.label: display_label(trace.policy, trace.label) for trace in traces}


def _numbers(row: dict[str, Any]) -> list[str]:
    """The round, the mean and the tails of a row."""
    tails = [_number(row[key]) for key in ("median", "p95", "worst")]
    return [f"{row['round']:,}", _cell(row), *tails]


def _cell(row: dict[str, Any]) -> str:
    mean, error = row["mean"], row["standard_error"]
    cell = _number(mean)
    return cell if error is None else f"{cell} ± {error:,.{1 if abs(mean) < 1000 else 0}f}"


def _number(clicks: float) -> str:
    digits = 1 if abs(clicks) < 1000 else 0
    return f"{clicks / 1000:,.1f}k" if abs(clicks) >= 100_000 else f"{clicks:,.{digits}f}"


def check_table(path: Path) -> None:
    if path.suffix not in (".md", ".json", ".csv"):
        raise ArgumentError(f"table must end in .md, .json or .csv, got {str(path)!r}")


def table_file(suffix: str, panels: Sequence[FigurePanel]) -> bytes:
    """Return the content of a Markdown, JSON or CSV file: regret by decade of every panel."""
    found = [(panel, regret_rows(pooled(panel.traces))) for panel in panels]
    if suffix == ".md":
        return "\n".join(_markdown(panel, rows) for panel, rows in found).encode()
    if suffix == ".csv":
        return _csv(found)
    content = [
        {
            "experiment": panel.experiment,
            "part": panel.part,
            "n_rounds": panel.n_rounds,
            "seed": panel.seed,
            "objective": panel.objective,
            "regret": rows,
        }
        for panel, rows in found
    ]
    return f"{json.dumps(content, indent=1)}\n".encode()


def _csv(found: Sequence[tuple[FigurePanel, Sequence[dict[str, Any]]]]) -> bytes:
    """One row per experiment, part, scale, policy and decade."""
    rows = [
        {"experiment": panel.experiment, "n_rounds": panel.n_rounds, "seed": panel.seed, **row}
        for panel, of_panel in found
        for row in of_panel
    ]
    text = StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _markdown(panel: FigurePanel, rows: Sequence[dict[str, Any]]) -> str:
    cells, names = [], names_of(panel.traces)
    for row in rows:
        round_, *numbers = _numbers(row)
        cells.append([names[row["policy"]], round_, f"{row['n_games']:,}", *numbers])
    title = " · ".join(panel.title.splitlines())
    return f"## {title}: {panel.lost}\n\n{markdown_table(HEAD, cells, numbers_from=1)}\n"


def times_table(timing: Timing) -> Table:
    """Return a row per policy, without empty columns."""
    rows = timing.rows()
    kept = [column for column in range(len(HEADER)) if any(row[column] for row in rows)]
    cells = [[row[column] for column in kept] for row in rows]
    return table([HEADER[column] for column in kept], cells)
