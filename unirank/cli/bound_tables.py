"""Tables of `unirank bounds`: assumption by assumption, gap by gap, decade by decade."""

from math import log

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from unirank.theory import Report
from unirank.theory.order import Order
from unirank.theory.report import DECADES

LEADING = (
    "leading term C ln T; the theorem adds O(log log T), whose constant the paper does not give"
)
WEAK_ORDER = "(for ties among the best items the paper only remarks on O(L K/Delta log T))"


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
    """All there is to say of one problem."""
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


def new_table(first: str, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, collapse_padding=True)
    table.add_column(first, no_wrap=True)
    for column in columns:
        words = column in ("holds", "counter-example")
        table.add_column(column, justify="left" if words else "right")
    return table


def yes(holds: bool) -> str:
    return "yes" if holds else "no"
