"""The ordered partition of the items that pairwise wins imply.

A subset dominates when each member is ahead of every remaining non-member. Cutting the items into
the smallest dominating subset, then the smallest of the rest, and so on, gives a unique ordered
partition, whatever cycles and ties the pairs hold. It has a closed form in the Copeland scores

    w_i = #{j: i ahead of j} + #{j: undecided} / 2:

with items by decreasing score, the first r form a union of subsets exactly when their scores sum to
r (r-1) / 2 + r (L-r), that is, when they share every win among themselves and win all the others.
Equal scores are never cut apart, so no ties need breaking. Scores are kept doubled, as integers.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled


@compiled
def elicit(
    scores: NDArray[np.int64],  # (n_items,) doubled Copeland scores
    n_positions: int,
    start_of: NDArray[np.int64],  # (2 n_items - 1,) out: doubled score -> start of its subset
    order: NDArray[np.int64],  # (n_items,) out: items by subset, ascending inside each
    ends: NDArray[np.int64],  # (n_items + 1,) out: start of a subset -> its end
) -> int:
    """Cut into subsets until they hold `n_positions` items; return how many items those hold.

    Whatever is left is one last subset, the rest, which `order` holds behind them.
    """
    n_items = scores.size
    start_of[:] = 0
    for score in scores:
        start_of[score] += 1
    start = taken = total = 0
    ends[0] = 0
    for score in range(2 * n_items - 2, -1, -1):
        count = start_of[score]
        if count == 0:
            continue
        start_of[score] = start
        if start < n_positions:
            taken += count
            total += score * count
            if total == taken * (taken - 1) + 2 * taken * (n_items - taken):
                start = taken
                ends[start] = start
    for item in range(n_items):
        subset = start_of[scores[item]]
        order[ends[subset]] = item
        ends[subset] += 1
    return start
