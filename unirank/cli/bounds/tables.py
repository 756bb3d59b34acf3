"""Tables of `unirank bounds`: one problem in detail, or several in a row each."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank.lab.bounds import BoundedRegret
from unirank.theory import Report
from unirank.theory.order import Order
from unirank.theory.report import DECADES

LEADING = (
    "leading term C ln T; the theorem adds O(log log T), whose constant the paper does not give"
)
WEAK_ORDER = "(for ties among the best items the paper only remarks on O(L K/Delta log T))"

COUNTED = ("3.1", "3.1*", "3.2", "3.3", "some order", "Theorem 1")
SLOPE_HEAD = ("slope, last three decades", "constant of the bound", "slope / constant")
Reports = Mapping[str, Report]


def order_text(order: Order) -> str:
    """0 > 1 ~ 2 > 3."""
    return " > ".join(" ~ ".join(map(str, subset)) for subset in order)


def how(report: Report) -> str:
    """How the assumptions were decided."""
    pairs = report.assumptions.pairs
    if pairs.method == "closed form":
        return "from formulas"
    if pairs.method == "exhaustive":
        return f"over all {pairs.n_rankings:,} rankings"
    return (
        f"over {pairs.n_rankings:,} rankings drawn at random: with 95 % confidence less than "
        f"{pairs.most_exceptions:.2g} of them are exceptions for any two items"
    )


def print_report(console: Console, name: str, report: Report) -> None:
    """Print assumptions, gaps and bounds of one problem."""
    found = report.assumptions
    head = (
        f"{name}: {report.users.name}, {report.users.n_items} items, {found.n_positions} positions"
    )
    console.print(head, style="bold", highlight=False)
    console.print(f"decided {how(report)}", highlight=False)
    console.print(f"order of the items: {order_text(found.order)}", highlight=False)
    console.print(assumption_table(report))
    if report.n_dead_ends is not None:
        console.print(
            f"Lemma 2: {report.n_dead_ends} leaders that nothing improves\n", highlight=False
        )
    if report.gaps is not None:
        console.print(gap_table(report))
    if report.why_no_bound:
        console.print(
            f"Theorem 1 gives no finite bound: {report.why_no_bound} {WEAK_ORDER}",
            markup=False, highlight=False,
        )  # fmt: skip
    if report.bounds:
        console.print(bound_table(report))
        console.print(LEADING, highlight=False)
    orders = ", ".join(f"{policy} {order}" for policy, order in report.orders.items())
    console.print(f"known orders: {orders}", highlight=False)


def assumption_table(report: Report) -> Table:
    table = new_table("assumption", "holds", "counter-example")
    for each in report.assumptions.all:
        broken = "" if each.counter_example is None else each.counter_example.sentence
        table.add_row(f"{each.number} {each.name}", yes(each.holds), broken.replace("[", "\\["))
    table.add_row("some order satisfies 3.1, 3.2, 3.3", yes(report.assumptions.some_order))
    return table


def gap_table(report: Report) -> Table:
    table = new_table("k", "item", "against", "delta*_k", "Delta~_k", "Delta_k", "adds to C")
    for gap in report.gaps.gaps if report.gaps else ():
        numbers = (gap.probability, gap.difference, gap.reward, gap.constant)
        table.add_row(str(gap.k), str(gap.item), str(gap.against), *(f"{x:.4g}" for x in numbers))
    return table


def bound_table(report: Report) -> Table:
    table = new_table("bound", "C", *(f"10^{len(str(n)) - 1}" for n in DECADES))
    for bound in report.bounds:
        label = bound.label.removesuffix(", leading term")
        numbers = [f"{bound.constant * log(n):,.0f}" for n in DECADES]
        table.add_row(label, f"{bound.constant:,.2f}", *numbers)
    return table


def verdicts(report: Report) -> list[bool]:
    """One per name in `COUNTED`."""
    found = report.assumptions
    return [*(each.holds for each in found.all), found.some_order, found.theorem_applies]


def print_summary(console: Console, reports: Mapping[str, Reports]) -> None:
    """Print a row per problem, then how many satisfy each assumption."""
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


def measured_table(name: str, rows: Sequence[BoundedRegret]) -> Table:
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
    """Return the slope of the regret of each run beside the constant of its bound."""
    return [
        [
            run["name"],
            f"{run['slope']:.2f}",
            f"{run['constant']:.2f}",
            "" if run["constant"] == 0 else f"{run['slope'] / run['constant']:.3f}",
        ]
        for run in runs
    ]


def new_table(first: str, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, collapse_padding=True)
    table.add_column(first, no_wrap=True)
    for column in columns:
        words = column in ("holds", "counter-example")
        table.add_column(column, justify="left" if words else "right")
    return table


def yes(holds: bool) -> str:
    return "yes" if holds else "no"
