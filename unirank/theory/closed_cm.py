"""The least that any ranking tells about two items under CM, from its formulas.

With D = theta_i - theta_j, S = theta_i + theta_j, and B the chance to read on past what stands
between the two (0 if only one is shown),

    Delta~_ij = D / (S - 2 B / (1 + B) theta_i theta_j)

wherever users get to read either of them. That is at least |D| / S in size, and nearest to it
where one of the two is left out (L > K) or, where all items are shown, with all others between.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import CM


def cm_least_differences(
    users: CM, n_positions: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items, and a ranking where it is."""
    theta = users.attraction
    n_items = users.n_items
    least = np.zeros((n_items, n_items))
    hardest = np.zeros((n_items, n_items, n_positions), np.int64)
    always = np.flatnonzero(theta == 1.0).tolist()
    first = range(min(n_items, n_positions + 2))  # enough to fill a ranking beside i and j
    for i in range(n_items):
        for j in range(n_items):
            if i == j:
                continue
            others = [item for item in first if item not in (i, j)]
            sure = [item for item in always if item not in (i, j)]
            difference, total = theta[i] - theta[j], theta[i] + theta[j]
            both = theta[i] * theta[j]
            shown = [i, *others]
            if difference < 0:  # j is ahead the most where the two follow each other
                shown = [i, j, *others]
                total -= both if n_positions > 1 else 0.0
            elif sure and n_positions > 1:  # nobody reads past an item that is always clicked
                shown = [sure[0], i, *(item for item in others if item != sure[0]), j]
                difference = 0.0
            elif n_items == n_positions:
                shown = [i, *others, j]
                between = float(np.prod(1.0 - theta[others]))
                total -= 2 * between / (1 + between) * both
            least[i, j] = difference / total if total > 0 else 0.0
            hardest[i, j] = shown[:n_positions]
    return least, hardest
