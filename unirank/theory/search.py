"""The least that any ranking tells about two items, by looking at all of them: compiled.

For each two items i, j the smallest expected click difference Delta~_ij(a) (see `definition`) over
the rankings a that show at least one of them, and one ranking where it is reached. Nothing here
knows a formula of any click model: the chances of clicks come from its kernels.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.click_models.search import next_ranking
from unirank.kernels.compiling import bind, compiled
from unirank.theory.definition import ROUNDING

UNSEEN = 2.0  # above every difference: no ranking has compared the two yet


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("compare_ranking must be bound to a click model")


def expected_after_click(model: Any, ranking: Any, position: int, expected: Any) -> None:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("compare_ranking must be bound to a click model")


def compare_ranking(*_: Any) -> None:
    """Placeholder: `bind` puts `compare_at` of a click model here."""
    raise AssertionError("the search must be bound to a click model")


@compiled
def note(
    ranking: NDArray[np.int64],
    i: int,
    j: int,
    i_only: float,
    j_only: float,
    least: NDArray[np.float64],
    hardest: NDArray[np.int64],
) -> None:
    """Remember the comparison where it is the least so far, of i with j and of j with i."""
    total = i_only + j_only
    difference = (i_only - j_only) / total if total > 0.0 else 0.0
    if difference < least[i, j]:
        least[i, j] = difference
        for k in range(ranking.size):
            hardest[i, j, k] = ranking[k]
    if -difference < least[j, i]:
        least[j, i] = -difference
        for k in range(ranking.size):
            hardest[j, i, k] = ranking[k]


@compiled
def rest(clicked: float, both: float) -> float:
    """Return P(clicked, the other not), without the noise of the subtraction."""
    alone = clicked - both
    return alone if alone > ROUNDING * clicked else 0.0


def compare_at(
    model: Any,
    ranking: NDArray[np.int64],  # (n_positions,)
    shown: NDArray[np.bool_],  # (n_items,) whether in `ranking`
    expected: NDArray[np.float64],  # (n_positions,) scratch
    other: NDArray[np.float64],  # (n_positions,) scratch
    after: NDArray[np.float64],  # (n_positions,) scratch
    least: NDArray[np.float64],  # (n_items, n_items) in and out
    hardest: NDArray[np.int64],  # (n_items, n_items, n_positions) in and out
) -> None:
    """Compare all items of one ranking, with each other and with those that it does not show."""
    expected_clicks(model, ranking, expected)
    for k in range(ranking.size):
        i = ranking[k]
        for l in range(k + 1, ranking.size):  # noqa: E741 - the paper's name
            j = ranking[l]
            expected_after_click(model, ranking, k, after)
            both = expected[k] * after[l]
            i_only, j_only = rest(expected[k], both), rest(expected[l], both)
            ranking[k], ranking[l] = j, i
            expected_clicks(model, ranking, other)
            expected_after_click(model, ranking, k, after)
            both = other[k] * after[l]
            i_only += rest(other[l], both)
            j_only += rest(other[k], both)
            ranking[k], ranking[l] = i, j
            note(ranking, i, j, i_only, j_only, least, hardest)
        for j in range(shown.size):
            if not shown[j]:
                ranking[k] = j
                expected_clicks(model, ranking, other)
                ranking[k] = i
                note(ranking, i, j, expected[k], other[k], least, hardest)


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
    compare = bind(
        compare_at,
        users.name,
        expected_clicks=users.kernels.expected_clicks,
        expected_after_click=users.second_click(),
    )
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
