"""Tables for people: regret by decade."""

from collections.abc import Sequence
from math import isnan

from rich.box import SIMPLE_HEAD
from rich.table import Table

from unirank.lab.summary import regret_rows
from unirank.simulation import Trace


def regret_table(title: str, traces: Sequence[Trace]) -> Table:
    """Mean regret, plus or minus its standard error, by policy and decade."""
    rows = regret_rows(traces)
    rounds = sorted({row["round"] for row in rows})
    games = " or ".join(sorted({str(trace.n_games) for trace in traces}))
    caption = f"regret after so many rounds: mean ± standard error over {games} games"
    table = Table(title=title, caption=caption, box=SIMPLE_HEAD, collapse_padding=True)
    table.title_justify = table.caption_justify = "left"
    table.add_column("rounds", no_wrap=True)
    for round_ in rounds:
        table.add_column(f"{round_:,}", justify="right", no_wrap=True)
    cells = {(row["policy"], row["round"]): row for row in rows}
    for label in dict.fromkeys(trace.label for trace in traces):
        found = [cells.get((label, round_)) for round_ in rounds]
        table.add_row(label, *(_cell(row) if row else "" for row in found))
    return table


def _cell(row: dict[str, float]) -> str:
    mean, error = row["mean"], row["standard_error"]
    scale, unit = (1000, "k") if mean >= 100_000 else (1, "")
    digits = 1 if mean < 1000 or unit else 0
    cell = f"{mean / scale:,.{digits}f}"
    return cell + ("" if isnan(error) else f" ± {error / scale:,.{digits}f}") + unit
