"""Tables of `unirank bounds`: one problem in detail, or several in a row each."""

from collections.abc import Mapping, Sequence
from math import log
from statistics import mean
from typing import Any

from rich.console import Console
from rich.table import Table

from unirank.cli.output import say, table
from unirank.lab.theory import Gaps, Report
from unirank.lab.theory.most_clicked import ListWorth
from unirank.lab.theory.order import Order
from unirank.lab.theory.report import DECADES

LEADING = (
    "leading term C ln T; the theorem adds O(log log T), whose constant the paper does not give"
)
WEAK_ORDER = "(for ties among the best items the paper only remarks on O(L K/Delta log T))"

COUNTED = ("3.1", "3.1*", "3.2", "3.3", "some order", "Theorem 1")
REGRET_HEAD = ("mean regret", "standard error", "bound", "mean / bound")
LISTS_HEAD = (
    "problems of",
    "list",
    "clicks",
    "any click",
    "rank",
    "reciprocal rank",
    "equal lists",
)
LISTS_LEGEND = (
    "Means over problems; any click: probability of at least one; rank: position of the first "
    "click, in visits that have one; reciprocal rank: of the first click, 0 in visits without one"
)
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
    found, users = report.assumptions, report.users
    size = f"{users.n_items} items, {found.n_positions} positions"
    console.print(f"{name}: {users.name}, {size}", style="bold", highlight=False)
    say(console, f"decided {how(report)}")
    say(console, f"order of the items: {order_text(found.order)}")
    console.print(assumption_table(report))
    if report.gaps is not None:
        console.print(gap_table(report.gaps))
    if report.why_no_bound:
        reason = f"Theorem 1 gives no finite bound: {report.why_no_bound} {WEAK_ORDER}"
        console.print(reason, markup=False, highlight=False)
    if report.n_dead_ends is not None:
        say(console, f"Lemma 2: {report.n_dead_ends} leaders that nothing improves\n")
    if report.bounds:
        console.print(bound_table(report))
        say(console, LEADING)
    print_lists(console, {name: {name: report}})
    orders = ", ".join(f"{policy} {order}" for policy, order in report.orders.items())
    console.print(f"known orders: {orders}", highlight=False)


def assumption_table(report: Report) -> Table:
    rows = [
        [
            f"{each.number} {each.name}",
            yes(each.holds),
            "" if each.counter_example is None else each.counter_example.sentence,
        ]
        for each in report.assumptions.all
    ]
    rows.append(["some order satisfies 3.1, 3.2, 3.3", yes(report.assumptions.some_order), ""])
    return table(["assumption", "holds", "counter-example"], rows, numbers_from=None)


def gap_table(gaps: Gaps) -> Table:
    rows = []
    for gap in gaps.gaps:
        numbers = (gap.probability, gap.difference, gap.reward, gap.constant)
        rows.append([str(gap.k), str(gap.item), str(gap.against), *(f"{x:.4g}" for x in numbers)])
    return table(["k", "item", "against", "delta*_k", "Delta~_k", "Delta_k", "adds to C"], rows)


def bound_table(report: Report) -> Table:
    rows = [
        [
            bound.label.removesuffix(", leading term"),
            f"{bound.constant:,.2f}",
            *(f"{bound.constant * log(n):,.0f}" for n in DECADES),
        ]
        for bound in report.bounds
    ]
    return table(["bound", "C", *(f"10^{len(str(n)) - 1}" for n in DECADES)], rows)


def verdicts(report: Report) -> list[bool]:
    """Return whether each of `COUNTED` holds."""
    found = report.assumptions
    return [*(each.holds for each in found.all), found.some_order, found.theorem_applies]


def print_summary(console: Console, reports: Mapping[str, Reports]) -> None:
    """Print a row per problem, then how many satisfy each assumption."""
    rows = []
    for target, found in reports.items():
        for name, report in found.items():
            label = f"{target} {name}" if len(reports) > 1 and name != target else name
            constant = f"{report.gaps.constant:,.1f}" if report.gaps else "no finite bound"
            rows.append([label, *map(yes, verdicts(report)), constant])
    console.print(table(["problem", *COUNTED, "C"], rows))
    console.print(table(["satisfied by", "problems", *COUNTED], counts(reports)))
    print_lists(console, reports)


def counts(reports: Mapping[str, Reports]) -> list[list[str]]:
    """Return how many problems of each target satisfy each assumption."""
    rows = []
    for target, found in reports.items():
        totals = [sum(column) for column in zip(*map(verdicts, found.values()), strict=True)]
        rows.append([target, str(len(found)), *map(str, totals)])
    return rows


def print_lists(console: Console, reports: Mapping[str, Reports]) -> None:
    rows = lists_rows(reports)
    if rows:
        console.print(table(LISTS_HEAD, rows, numbers_from=2))
        say(console, LISTS_LEGEND)


def lists_rows(reports: Mapping[str, Reports]) -> list[list[str]]:
    """Return the list by attraction and the most clicked one, where the two can differ."""
    rows = []
    for target, found in reports.items():
        lists = [report.lists for report in found.values() if report.lists is not None]
        if all(each.same for each in lists):
            continue
        n_same = sum(each.same for each in lists)
        n_reversed = sum(each.is_reversed for each in lists)
        equal = f"{n_same} of {len(lists)}, reversed {n_reversed}"
        sides = {
            "by attraction": worth_cells([each.by_attraction for each in lists]),
            "most clicked": worth_cells([each.most_clicked for each in lists]),
        }
        rows += [[target, name, *cells, equal] for name, cells in sides.items()]
    return rows


def worth_cells(lists: Sequence[ListWorth]) -> list[str]:
    worths = [(one.clicks, one.any_click, one.rank, one.reciprocal_rank) for one in lists]
    return [f"{mean(column):.3f}" for column in zip(*worths, strict=True)]


def regret_cells(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return a row per decade, under "rounds" and `REGRET_HEAD`."""
    return [
        [
            f"{row['round']:,}",
            f"{row['mean']:,.1f}",
            "" if row["standard_error"] is None else f"{row['standard_error']:,.1f}",
            f"{row['bound']:,.1f}",
            "" if row["bound"] == 0 else f"{row['mean'] / row['bound']:.3f}",
        ]
        for row in rows
    ]


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


def yes(holds: bool) -> str:
    return "yes" if holds else "no"
