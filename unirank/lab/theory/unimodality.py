"""Lemma 2 (pseudo-unimodality), checked on every ordered partition that can lead.

Every leader but the best one can be improved by something that UniRank shows:

    split     a subset that is shown has one item above all its others, or
    exchange  some item is above one of the subset just before its own.

The paper states the lemma for every ordered partition. That is false: with 1 > 2 ~ 3 and K = 1,
nothing improves ({1}, {2}, {3}), which differs from the best, ({1}, {2, 3}). The lemma holds for
partitions that can lead, where items that are not shown form one last subset; there, a subset that
is shown can always be split.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.lab.theory.order import Order

MOST_ITEMS = 8  # half a million ordered partitions


def leaders(n_items: int, n_positions: int) -> Iterator[Order]:
    """Every ordered partition that can lead; a last subset that is empty is left out."""
    arguments.integer("n_items", n_items, 1, MOST_ITEMS)
    arguments.integer("n_positions", n_positions, 1, n_items, "n_items=")

    def completed(order: Order, left: tuple[int, ...]) -> Iterator[Order]:
        if n_items - len(left) >= n_positions:
            yield (*order, left) if left else order
            return
        for size in range(1, len(left) + 1):
            for subset in combinations(left, size):
                rest = tuple(item for item in left if item not in subset)
                yield from completed((*order, subset), rest)

    yield from completed((), tuple(range(n_items)))


def improvement(order: Order, n_positions: int, more: NDArray[np.bool_]) -> str:
    """How UniRank can find out that this leader is not the best; empty if it cannot."""
    n_before = 0
    for c, subset in enumerate(order):
        if n_before < n_positions:
            for best in subset:
                others = [item for item in subset if item != best]
                if others and more[best, others].all():
                    return f"split {best} from {others}"
        n_before += len(subset)
        for j in order[c + 1] if c + 1 < len(order) else ():
            worse = [i for i in subset if more[j, i]]
            if worse:
                return f"exchange {worse[0]} and {j}"
    return ""


def dead_ends(n_positions: int, best: Order, more: NDArray[np.bool_]) -> list[Order]:
    """Leaders other than the best that nothing improves: none, if Lemma 2 holds."""
    wanted = as_leader(best, n_positions)
    return [
        order
        for order in leaders(len(more), n_positions)
        if order != wanted and not improvement(order, n_positions, more)
    ]


def as_leader(order: Order, n_positions: int) -> Order:
    """The order with all that is not shown in one last subset."""
    n_shown = 0
    for c, subset in enumerate(order):
        n_shown += len(subset)
        if n_shown >= n_positions:
            rest = tuple(sorted(item for later in order[c + 1 :] for item in later))
            return (*order[: c + 1], rest) if rest else order[: c + 1]
    return order
