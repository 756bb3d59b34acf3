"""The Markdown file of `unirank bounds --table`."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from unirank.cli.bounds.tables import (
    COUNTED,
    LEADING,
    LISTS_HEAD,
    LISTS_LEGEND,
    REGRET_HEAD,
    SLOPE_HEAD,
    Reports,
    counts,
    lists_rows,
    regret_cells,
    slope_rows,
)
from unirank.markdown import markdown_table

LEGEND = (
    "3.1 strict weak order, 3.1* strict total order on the top K, 3.2 optimal reward, "
    '3.3 identifiability; "some order": some strict weak order satisfies 3.1, 3.2 and 3.3 to the '
    'letter; "Theorem 1": some order satisfies 3.1*, 3.2 and 3.3; "clicks lost": share of the '
    "expected clicks of the best ranking that the worst ranking compatible with the order loses."
)


def document(reports: Mapping[str, Reports], runs: Sequence[Mapping[str, Any]]) -> str:
    """Return counts, the first counter-example of each kind, and what was measured."""
    rows = [
        [*row, *lost(found)] for row, found in zip(counts(reports), reports.values(), strict=True)
    ]
    head = ["problems of", "number", *COUNTED, "clicks lost (median)", "clicks lost (most)"]
    lines = [markdown_table(head, rows), "", LEGEND, ""]
    broken = first_counter_examples(reports)
    if broken:
        lines += ["First counter-example of each kind:", ""]
        lines += [markdown_table(["problems of", "problem", "fails", "because"], broken), ""]
    lists = lists_rows(reports)
    if lists:
        lines += ["The list by decreasing attraction beside the most clicked one:", ""]
        lines += [markdown_table(LISTS_HEAD, lists, numbers_from=2), "", f"{LISTS_LEGEND}.", ""]
    for run in runs:
        lines += [f"UniRank on {run['name']}, {run['n_games']} games, seed {run['seed']}:", ""]
        lines += [markdown_table(["rounds", *REGRET_HEAD], regret_cells(run["regret"])), ""]
    if runs:
        lines += [markdown_table(["regret against ln t", *SLOPE_HEAD], slope_rows(runs)), ""]
        lines += [f"The bound is the {LEADING}.", ""]
    return "\n".join(lines)


def lost(found: Reports) -> list[str]:
    """Return the median and the largest share of clicks that a compatible ranking can lose."""
    shares = []
    for report in found.values():
        broken = report.assumptions.optimal_reward.counter_example
        numbers = {"clicks": 1.0, "most clicks": 1.0} if broken is None else broken.numbers
        shares.append(1 - numbers["clicks"] / numbers["most clicks"])
    return [f"{share:.1%}" for share in (median(shares), max(shares))]


def first_counter_examples(reports: Mapping[str, Reports]) -> list[list[str]]:
    rows: dict[tuple[str, str], list[str]] = {}
    for target, found in reports.items():
        for name, report in found.items():
            for each in report.assumptions.all:
                if each.counter_example is not None:
                    sentence = each.counter_example.sentence
                    rows.setdefault((target, each.number), [target, name, each.number, sentence])
    return [
        rows[key] for key in sorted(rows, key=lambda key: (list(reports).index(key[0]), key[1]))
    ]
