"""The best ranking of users who read down one item at a time, without a search.

Where item i is clicked with probability a_i when read, and the user reads on past it with
probability c_i whatever its position, a ranking is worth

    a_1 + c_1 (a_2 + c_2 (a_3 + ...)).

Exchanging two neighbours shows that any set of items is best shown by decreasing a_i / (1 - c_i).
So the best K of L items come from choosing, along that order, which to show:

    worth[i, k] = max(worth[i+1, k],  a_i + c_i worth[i+1, k-1]),   k positions left at item i.
"""

import numpy as np
from numpy.typing import NDArray


def best_chain(
    attraction: NDArray[np.float64], reads_on: NDArray[np.float64], n_positions: int
) -> NDArray[np.int64]:
    """Items of the best ranking, best position first; the earlier item wins ties."""
    n_items = attraction.size
    with np.errstate(divide="ignore", invalid="ignore"):
        priority = np.where(attraction > 0, attraction / (1.0 - reads_on), 0.0)
    # Equal priorities may be shown in any order; the most attractive first is what one expects.
    order = np.lexsort((-attraction, -np.round(priority, 12)))
    worth = np.zeros((n_items + 1, n_positions + 1))
    shown = np.zeros((n_items, n_positions + 1), np.bool_)
    for i in range(n_items - 1, -1, -1):
        item = order[i]
        for left in range(1, min(n_positions, n_items - i) + 1):
            with_item = attraction[item] + reads_on[item] * worth[i + 1, left - 1]
            must = left == n_items - i  # no item to spare
            shown[i, left] = must or with_item >= worth[i + 1, left]
            worth[i, left] = with_item if shown[i, left] else worth[i + 1, left]
    best: list[int] = []
    for i in range(n_items):
        if shown[i, n_positions - len(best)]:
            best.append(int(order[i]))
    return np.array(best, np.int64)
