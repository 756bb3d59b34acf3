"""Anomalies of a data set that matter to policies.

With ties among the best items UniRank's regret bound does not hold. Policies that assume positions
in decreasing order of examination need it sorted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from unirank import arguments
from unirank.lab.datasets.catalogue import Fitted, fitted

TIES, TOO_LARGE = "tied attraction", "attraction above 1"
ORDER, LARGEST = "examination does not decrease", "largest examination is not 1"


@dataclass(frozen=True)
class Anomaly:
    """An anomaly of one query: its kind, a text and its numbers."""

    query: str
    kind: str
    text: str
    numbers: dict[str, Any]


def anomalies(name: str, *, n_items: int = 10, n_positions: int = 5) -> list[Anomaly]:
    """Return the anomalies in the file's order; ties count among the `n_items` most attractive.

    A query with fewer items or positions is used as a whole.
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
    """Say where the ties are: inside the top k, at its border, or below it."""
    inside = len(set(top[:k])) < len(top[:k])
    border = k < len(top) and top[k - 1] == top[k]
    places = [f"inside the top {k}"] * inside + [f"at the border {k}/{k + 1}"] * border
    where = " and ".join(places) or f"below the top {k} only"
    numbers = {"distinct": len(set(top)), "of": len(top), "inside": inside, "border": border}
    return f"{len(set(top))} distinct values in the top {len(top)}, tied {where}", numbers
