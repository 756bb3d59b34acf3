"""The best ranking when no theorem gives it: try them all."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("search_best must be bound to a click model")


@compiled
def next_ranking(ranking: NDArray[np.int64], used: NDArray[np.bool_]) -> bool:
    """Step to the next ranking in lexicographic order; False after the last."""
    n_items = used.size
    for position in range(ranking.size - 1, -1, -1):
        used[ranking[position]] = False
        for item in range(ranking[position] + 1, n_items):
            if not used[item]:
                used[item] = True
                ranking[position] = item
                free = 0
                for later in range(position + 1, ranking.size):
                    while used[free]:
                        free += 1
                    ranking[later] = free
                    used[free] = True
                return True
    return False


def search_best(
    model: Any,
    ranking: NDArray[np.int64],  # (n_positions,) 0, 1, 2, ...: the first ranking tried
    used: NDArray[np.bool_],  # (n_items,) whether in `ranking`
    expected: NDArray[np.float64],  # (n_positions,) scratch
    best: NDArray[np.int64],  # (n_positions,) out
) -> float:
    """Fill `best` with the first ranking of largest expected clicks and return them."""
    most = -1.0
    while True:
        total = expected_clicks(model, ranking, expected)
        if total > most:
            most = total
            for position in range(best.size):
                best[position] = ranking[position]
        if not next_ranking(ranking, used):
            return most
