"""What a ranking is worth under each objective: against all vectors of clicks, and against users.

Users are N_USERS of a fixed seed; the margin MOST_Z is that of `agreement`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.reference.click_model import worth
from tests.users.agreement import (
    MOST_Z,
    N_USERS,
    ROUNDING,
    pattern_counts,
    patterns_of,
    random_rankings,
)
from tests.users.test_twins import CASES, Pair
from unirank import CM, DBN, ClickModel
from unirank.errors import ArgumentError, UnknownNameError
from unirank.users.base import ClickKernels
from unirank.users.objective import OBJECTIVES, first_click

FIRST = [objective for objective in OBJECTIVES if objective != "clicks"]


@pytest.fixture(params=CASES, scope="module")
def pair(request: pytest.FixtureRequest) -> Pair:
    return CASES[request.param]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_value_is_the_mean_over_all_vectors_of_clicks(pair: Pair, objective: str) -> None:
    for ranking in random_rankings(pair.model, 60):
        wanted = pair.twin.value(ranking, objective)
        assert pair.model.value(ranking, objective) == pytest.approx(wanted, abs=ROUNDING)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_value_is_the_mean_over_users(pair: Pair, objective: str) -> None:
    counts = pattern_counts(pair.model, pair.ranking)
    worths = np.array([worth(clicks, objective) for clicks in patterns_of(len(pair.ranking))])
    mean = counts @ worths / N_USERS
    error = np.sqrt((counts @ worths**2 / N_USERS - mean**2) / N_USERS)
    assert abs(mean - pair.model.value(pair.ranking, objective)) < MOST_Z * error


def test_first_clicks_are_where_users_make_them(pair: Pair) -> None:
    counts, patterns = pattern_counts(pair.model, pair.ranking), patterns_of(len(pair.ranking))
    chances = pair.model.first_click(pair.ranking)
    for k, chance in enumerate(chances):
        first = patterns[:, k] & ~patterns[:, :k].any(axis=1)
        error = np.sqrt(chance * (1 - chance) / N_USERS)
        assert abs(counts[first].sum() / N_USERS - chance) <= MOST_Z * error


def test_the_most_clicked_list_may_hide_the_best_item_and_the_first_click_wants_it_first() -> None:
    users = DBN([0.5, 0.4], [1.0, 0.0], abandon=0.0)
    best = {objective: users.best_ranking(2, objective) for objective in OBJECTIVES}
    assert best["clicks"] == (1, 0)
    assert best["first-click"] == (0, 1)
    assert users.value((0, 1), "any-click") == pytest.approx(users.value((1, 0), "any-click"))


class Silent(CM):
    """A user's own model, without the law of the first click."""

    kernels = ClickKernels(CM.kernels.click, CM.kernels.expected_clicks)


@pytest.mark.parametrize("objective", FIRST)
def test_a_model_without_the_first_click_says_what_to_add(objective: str) -> None:
    users = Silent([0.1, 0.2])
    asked: list[Callable[[], Any]] = [
        lambda: users.value([0], objective),
        lambda: users.best_ranking(1, objective),
        lambda: users.first_click([0]),
    ]
    for ask in asked:
        with pytest.raises(ArgumentError) as caught:
            ask()
        assert str(caught.value) == (
            "click model 'Silent' cannot tell where the first click is, which the objectives "
            "any-click and first-click need: add first_click to its ClickKernels, got None"
        )


def test_a_model_of_a_user_is_searched() -> None:
    class Own(CM):
        def _best_first_click(self, n_positions: int, objective: str) -> Any:
            return ClickModel._best_first_click(self, n_positions, objective)

    assert Own([0.1, 0.3, 0.2]).best_ranking(2, "first-click") == (1, 2)


def test_an_unknown_objective_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        CM([0.1]).value([0], "first-clik")
    assert str(caught.value) == "unknown objective 'first-clik'; did you mean 'first-click'?"


def test_an_unbound_measure_says_so() -> None:
    with pytest.raises(AssertionError, match="must be bound to a click model"):
        first_click(None, None, None)
