"""The order of the items that follows from comparisons in all rankings, if there is one.

Identifiability lets an order put i above j only if every ranking that shows one of them says so:

    i > j   iff   Delta~_ij(a) > 0  for every ranking a that shows i or j.

Two items are equal if no ranking tells them apart, and mixed if rankings contradict each other. An
ordered partition respects these relations if every item of an earlier subset is above every item of
a later one. The sets that can stand first form a chain (of two such sets one contains the other,
otherwise some i > j and j > i), so cutting at all of them gives one finest partition. Fewer
rankings are compatible with it than with any other: if some order makes all of them optimal,
this one does. That is why the assumptions are checked on it.

The relation is itself a strict weak order iff, whenever i > j, every third item k is below i or
above j; a triple that is not so, such as a cycle, is the counter-example.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-10  # a difference below it is rounding: its exact value is 0

Order = tuple[tuple[int, ...], ...]


class Relations(NamedTuple):
    """How each two items compare over all rankings: (n_items, n_items)."""

    more: NDArray[np.bool_]  # [i, j]: i is ahead in every ranking
    equal: NDArray[np.bool_]  # [i, j]: neither is ahead in any ranking
    mixed: NDArray[np.bool_]  # [i, j]: some rankings put one ahead, some do not


def relations(least_difference: NDArray[np.float64]) -> Relations:
    """The relations, from the least difference of each two items."""
    more = least_difference > TOLERANCE
    not_behind = least_difference >= -TOLERANCE
    equal = ~more & ~more.T & not_behind & not_behind.T
    return Relations(more, equal, ~(more | more.T | equal))


def finest_order(more: NDArray[np.bool_]) -> Order:
    """The finest ordered partition in which each item is `more` than all in later subsets."""
    # The members of a set above all else win more pairs than any other item: it is a prefix.
    ranked = np.argsort(-more.sum(axis=1), kind="stable")
    subsets = []
    start = 0
    for end in range(1, len(ranked) + 1):
        if more[np.ix_(ranked[start:end], ranked[end:])].all():
            subsets.append(tuple(sorted(ranked[start:end].tolist())))
            start = end
    return tuple(subsets)


def broken_triple(more: NDArray[np.bool_]) -> tuple[int, int, int] | None:
    """Items i, j, k with i > j, but k neither below i nor above j; a cycle if there is one."""
    found = None
    for i, j in np.argwhere(more):
        for k in np.flatnonzero(~more[i] & ~more[:, j]):
            if more[j, k] and more[k, i]:
                return int(i), int(j), int(k)
            found = found or (int(i), int(j), int(k))
    return found
