"""The least difference of two items over many rankings, by comparing them at each.

For each two items i, j the smallest expected click difference Delta~_ij(a) (see `definition`) over
the rankings a that show at least one of them, and one ranking where it is reached. No formula of a
click model is used: the chances of clicks come from its kernels.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.lab.theory.definition import ROUNDING
from unirank.policies.kernels.compiling import bind, compiled
from unirank.users import ClickModel
from unirank.users.search import all_rankings

UNSEEN = 2.0  # above every difference: no ranking has compared the two yet


def bound_later(*_: Any) -> Any:
    """Placeholder: `bind` puts the click model's own functions here."""
    raise AssertionError("compare_all must be bound to a click model")


expected_clicks = expected_after_click = bound_later


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
    """Keep the comparison of i with j, and of j with i, where it is the least so far."""
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


def compare_all(
    model: Any,
    rankings: NDArray[np.int64],  # (n_rankings, n_positions)
    shown: NDArray[np.bool_],  # (n_items,) scratch
    expected: NDArray[np.float64],  # (n_positions,) scratch
    other: NDArray[np.float64],  # (n_positions,) scratch
    after: NDArray[np.float64],  # (n_positions,) scratch
    least: NDArray[np.float64],  # (n_items, n_items) in and out
    hardest: NDArray[np.int64],  # (n_items, n_items, n_positions) in and out
) -> None:
    """Compare the items of each ranking, with each other and with those that it does not show."""
    for r in range(rankings.shape[0]):
        ranking = rankings[r]
        shown[:] = False
        for k in range(ranking.size):
            shown[ranking[k]] = True
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


def least_differences(
    users: ClickModel, n_positions: int, rankings: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least difference of each two items and where it is, over all rankings or those given."""
    n_items = users.n_items
    least = np.full((n_items, n_items), UNSEEN)
    np.fill_diagonal(least, 0.0)
    hardest = np.zeros((n_items, n_items, n_positions), np.int64)
    compare: Any = bind(
        compare_all,
        users.name,
        expected_clicks=users.kernels.expected_clicks,
        expected_after_click=users.second_click(),
    )
    shown = np.zeros(n_items, np.bool_)
    scratch = [np.zeros(n_positions) for _ in range(3)]
    for some in all_rankings(n_items, n_positions) if rankings is None else [rankings.copy()]:
        compare(users.parameters, some, shown, *scratch, least, hardest)
    return least, hardest
