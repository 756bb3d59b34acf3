"""One ranking compares its items: the definition, compiled.

Nothing here knows a formula of any click model: the chances of clicks come from its kernels.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.kernels.compiling import bind, compiled
from unirank.theory.definition import ROUNDING


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("compare_ranking must be bound to a click model")


def expected_after_click(model: Any, ranking: Any, position: int, expected: Any) -> None:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("compare_ranking must be bound to a click model")


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


def bound_comparison(users: ClickModel) -> Any:
    """`compare_at` with the kernels of a click model."""
    return bind(
        compare_at,
        users.name,
        expected_clicks=users.kernels.expected_clicks,
        expected_after_click=users.second_click(),
    )
