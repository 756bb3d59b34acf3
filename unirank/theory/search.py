"""The least that any ranking tells about two items, by looking at all of them.

For each two items i, j the smallest expected click difference Delta~_ij(a) (see `definition`) over
the rankings a that show at least one of them, and one ranking where it is reached.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.click_models.search import next_ranking
from unirank.kernels.compiling import bind
from unirank.theory.comparing import bound_comparison

UNSEEN = 2.0  # above every difference: no ranking has compared the two yet


def compare_ranking(*_: Any) -> None:
    """Placeholder: `bind` puts `compare_at` of a click model here."""
    raise AssertionError("the search must be bound to a click model")


def search_all(
    model: Any,
    ranking: NDArray[np.int64],  # (n_positions,) 0, 1, 2, ...: the first
    shown: NDArray[np.bool_],
    expected: NDArray[np.float64],
    other: NDArray[np.float64],
    after: NDArray[np.float64],
    least: NDArray[np.float64],
    hardest: NDArray[np.int64],
) -> None:
    """Compare at every ranking."""
    while True:
        compare_ranking(model, ranking, shown, expected, other, after, least, hardest)
        if not next_ranking(ranking, shown):
            return


def search_these(
    model: Any,
    rankings: NDArray[np.int64],  # (n_rankings, n_positions)
    shown: NDArray[np.bool_],
    expected: NDArray[np.float64],
    other: NDArray[np.float64],
    after: NDArray[np.float64],
    least: NDArray[np.float64],
    hardest: NDArray[np.int64],
) -> None:
    """Compare at the rankings given."""
    for r in range(rankings.shape[0]):
        shown[:] = False
        for k in range(rankings.shape[1]):
            shown[rankings[r, k]] = True
        compare_ranking(model, rankings[r], shown, expected, other, after, least, hardest)


def least_differences(
    users: ClickModel, n_positions: int, rankings: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items and where it is, over all rankings or those given."""
    n_items = users.n_items
    least = np.full((n_items, n_items), UNSEEN)
    np.fill_diagonal(least, 0.0)
    hardest = np.zeros((n_items, n_items, n_positions), np.int64)
    compare = bound_comparison(users)
    shown = np.arange(n_items) < n_positions
    if rankings is None:
        search: Any = bind(search_all, users.name, compare_ranking=compare)
        first = np.arange(n_positions)
    else:
        search = bind(search_these, users.name, compare_ranking=compare)
        first = rankings.copy()
    scratch = [np.zeros(n_positions) for _ in range(3)]
    search(users.parameters, first, shown, *scratch, least, hardest)
    return least, hardest
