"""Tables of `unirank bounds` about several problems: who satisfies what, and what was measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from unirank.cli.bound_tables import new_table, yes
from unirank.lab.bounds import Measured
from unirank.theory import Report

COUNTED = ("3.1", "3.1*", "3.2", "3.3", "some order", "Theorem 1")
SLOPE_HEAD = ("slope, last three decades", "constant of the bound", "slope / constant")
Reports = Mapping[str, Report]


def verdicts(report: Report) -> list[bool]:
    """One per name in `COUNTED`."""
    found = report.assumptions
    return [*(each.holds for each in found.all), found.some_order, found.theorem_applies]


def print_summary(console: Console, reports: Mapping[str, Reports]) -> None:
    """A row per problem, then how many satisfy what."""
    table = new_table("problem", *COUNTED, "C")
    for target, found in reports.items():
        for name, report in found.items():
            label = f"{target} {name}" if len(reports) > 1 and name != target else name
            constant = f"{report.gaps.constant:,.1f}" if report.gaps else "no finite bound"
            table.add_row(label, *map(yes, verdicts(report)), constant)
    console.print(table)
    console.print(count_table(reports))


def count_table(reports: Mapping[str, Reports]) -> Table:
    table = new_table("satisfied by", "problems", *COUNTED)
    for row in counts(reports):
        table.add_row(*row)
    return table


def counts(reports: Mapping[str, Reports]) -> list[list[str]]:
    """How many problems of each target satisfy each assumption."""
    rows = []
    for target, found in reports.items():
        totals = [sum(column) for column in zip(*map(verdicts, found.values()), strict=True)]
        rows.append([target, str(len(found)), *map(str, totals)])
    return rows


def measured_table(name: str, rows: Sequence[Measured]) -> Table:
    table = new_table(f"{name}: rounds", "mean regret", "standard error", "bound", "mean / bound")
    for row in rows:
        error = "" if row.standard_error is None else f"{row.standard_error:,.1f}"
        share = "" if row.bound == 0 else f"{row.mean / row.bound:.3f}"
        table.add_row(f"{row.round:,}", f"{row.mean:,.1f}", error, f"{row.bound:,.1f}", share)
    return table


def slope_table(runs: Sequence[Mapping[str, Any]]) -> Table:
    table = new_table("regret against ln t", *SLOPE_HEAD)
    for row in slope_rows(runs):
        table.add_row(*row)
    return table


def slope_rows(runs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """How fast the regret of each run still grows, beside how fast it may."""
    return [
        [
            run["name"],
            f"{run['slope']:.2f}",
            f"{run['constant']:.2f}",
            "" if run["constant"] == 0 else f"{run['slope'] / run['constant']:.3f}",
        ]
        for run in runs
    ]
