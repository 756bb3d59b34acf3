"""The order that a policy begins with: evidence that clicks can overcome.

`start` lists item ids, best first; items that it leaves out stand behind, in no order. `trust` is
how many comparisons of each pair it is worth.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.policies.base.options import ItemId

TRUST = 20
MOST_TRUST = 10**9


def checked_start(
    start: Iterable[ItemId] | None, trust: int | None, numbers: Mapping[ItemId, int]
) -> tuple[NDArray[np.int64], int]:
    """Return the numbers of the items to begin with, none by default, and the trust in them."""
    if start is None:
        if trust is not None:
            raise ArgumentError(f"trust must come with start, got trust={trust!r} alone")
        return np.zeros(0, np.int64), 0
    if isinstance(start, str | bytes | int):
        raise ArgumentError(f"start must be a list of item ids, got {start!r}")
    ids = arguments.item_ids(start, "start")
    for item in ids:
        if item not in numbers:
            raise UnknownNameError("item in start:", item, list(numbers))
    worth = TRUST if trust is None else arguments.integer("trust", trust, 1, MOST_TRUST)
    return np.array([numbers[item] for item in ids], np.int64), worth


def ranks_in(order: Sequence[int] | NDArray[np.int64], n_items: int) -> NDArray[np.int64]:
    """Place of each item in the order, from 0; all that it leaves out share the next place."""
    ranks = np.full(n_items, len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def score_of(trust: int) -> tuple[int, int]:
    """Comparisons that the item ahead has won and lost: half each, and half a standard deviation.

    A wrong pair is turned by about sqrt(trust) / 2 clicks, however long the game.
    """
    lost = int((trust - sqrt(trust) / 2) / 2)
    return trust - lost, lost


def wins_of(
    order: Sequence[int] | NDArray[np.int64], trust: int, n_items: int
) -> NDArray[np.int64]:
    """Table of the comparisons that each item has won against each other."""
    ranks = ranks_in(order, n_items)
    ahead = ranks[:, np.newaxis] < ranks
    won, lost = score_of(trust)
    return won * ahead + lost * ahead.T
