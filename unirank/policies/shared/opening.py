"""The opening of several policies: L rounds that show each item once at each position.

Round 1 starts with item 1, round 2 with item 2, and so on; the other items follow in a circle.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled


@compiled
def show_circle(first: int, n_items: int, ranking: NDArray[np.int64]) -> None:
    """Fill `ranking` with the items from `first` on; after the last comes item 0 again."""
    for position in range(ranking.size):
        ranking[position] = (first + position) % n_items
