"""Tables for people: regret by decade."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank.lab.summary import regret_rows
from unirank.simulation import Trace

MOST_DECADES = 5  # what 80 columns hold; --json has them all


def print_regret(console: Console, title: str, traces: Sequence[Trace]) -> None:
    """Print mean regret, plus or minus its standard error, by policy and decade."""
    games = " or ".join(sorted({str(trace.n_games) for trace in traces}))
    console.print(title, style="bold", highlight=False)
    console.print(regret_table(traces))
    console.print(f"regret: mean ± standard error over {games} games", highlight=False)


def regret_table(traces: Sequence[Trace]) -> Table:
    """One row per policy, one column per decade."""
    rows = regret_rows(traces)
    rounds = sorted({row["round"] for row in rows})[-MOST_DECADES:]
    table = Table(box=SIMPLE_HEAD, collapse_padding=True)
    table.add_column("rounds", no_wrap=True)
    for round_ in rounds:
        table.add_column(f"{round_:,}", justify="right", no_wrap=True)
    cells = {(row["policy"], row["round"]): row for row in rows}
    for label in dict.fromkeys(trace.label for trace in traces):
        found = [cells.get((label, round_)) for round_ in rounds]
        table.add_row(label, *(_cell(row) if row else "" for row in found))
    return table


def _cell(row: dict[str, Any]) -> str:
    mean, error = row["mean"], row["standard_error"]
    digits = 1 if mean < 1000 else 0
    cell = f"{mean / 1000:,.1f}k" if mean >= 100_000 else f"{mean:,.{digits}f}"
    return cell if error is None else f"{cell} ± {error:,.{digits}f}"
