"""What is unusual in a data set, so that nobody is surprised by it in a figure.

Ties among the best items break the assumption under which UniRank's regret is bounded; examination
that is not sorted must be sorted before a policy that trusts the order of positions may run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from unirank import arguments
from unirank.datasets.catalogue import Fitted, fitted

TIES, TOO_LARGE = "tied attraction", "attraction above 1"
ORDER, LARGEST = "examination does not decrease", "largest examination is not 1"


@dataclass(frozen=True)
class Anomaly:
    """A finding in one query: what kind, in words, and its numbers."""

    query: str
    kind: str
    text: str
    numbers: dict[str, Any]


def anomalies(name: str, *, n_items: int = 10, n_positions: int = 5) -> list[Anomaly]:
    """Findings in the file's order; ties are sought among the `n_items` most attractive.

    Where a query has fewer items or positions, all it has.
    """
    arguments.integer("n_items", n_items, 1)
    arguments.integer("n_positions", n_positions, 1)
    return [
        Anomaly(query, kind, text, numbers)
        for query, values in fitted(name).items()
        for kind, text, numbers in _findings(values, n_items, n_positions)
    ]


def _findings(
    values: Fitted, n_items: int, n_positions: int
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    top = sorted(values["attraction"], reverse=True)[:n_items]
    for value in values["attraction"]:
        if value > 1:
            yield TOO_LARGE, f"{value:.6g}", {"value": value}
    examination = values.get("examination")
    k = min(n_positions, len(examination or top))
    if len(set(top)) < len(top):
        yield TIES, *_ties(top, k)
    if examination is None:
        return
    for position, (here, below) in enumerate(pairwise(examination), 1):
        if below > here:
            text = f"{here:.6g} at position {position}, {below:.6g} at position {position + 1}"
            yield ORDER, text, {"position": position, "here": here, "below": below}
            break
    if max(examination) != 1:
        yield LARGEST, f"{max(examination):.6g}", {"value": max(examination)}


def _ties(top: list[float], k: int) -> tuple[str, dict[str, Any]]:
    """Where the ties are says what they cost: inside the top k, at its border, or below it."""
    inside = len(set(top[:k])) < len(top[:k])
    border = k < len(top) and top[k - 1] == top[k]
    places = [f"inside the top {k}"] * inside + [f"at the border {k}/{k + 1}"] * border
    where = " and ".join(places) or f"below the top {k} only"
    numbers = {"distinct": len(set(top)), "of": len(top), "inside": inside, "border": border}
    return f"{len(set(top))} distinct values in the top {len(top)}, tied {where}", numbers
