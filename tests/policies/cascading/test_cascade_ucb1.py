"""CascadeUCB1: its index by hand, its option."""

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.cascades import after_opening, with_counts
from unirank import ArgumentError, simulate
from unirank.policies import CascadeUCB1


def test_below_the_first_click_nothing_counts_even_if_clicked() -> None:
    policy = after_opening(CascadeUCB1, 5, 4)
    shown = policy.rank()
    policy.update(shown, [shown.items[1], shown.items[3]])
    read = shown.items[:2]
    np.testing.assert_array_equal(policy.state.cells["shown"], [1 + (i in read) for i in range(5)])


@pytest.mark.parametrize("exploration", [1.5, 0.2])
def test_the_index_by_hand(exploration: float) -> None:
    policy = with_counts(CascadeUCB1, [3, 5], [10, 20], 100, exploration=exploration)
    policy.rank()
    bonus = exploration * log(100)
    expected = [0.3 + sqrt(bonus / 10), 0.25 + sqrt(bonus / 20)]
    np.testing.assert_allclose(policy.state.indices, expected, rtol=1e-14)


def test_two_items_right_after_the_opening_use_the_logarithm_of_two() -> None:
    policy = after_opening(CascadeUCB1, 2, 1)
    policy.rank()
    np.testing.assert_allclose(policy.state.indices, sqrt(1.5 * log(2)), rtol=1e-14)


@pytest.mark.parametrize("exploration", [0, -1, float("nan"), float("inf"), "1", None, True])
def test_an_exploration_that_is_not_positive_is_refused_by_name(exploration: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        CascadeUCB1(3, 2, exploration=exploration)
    assert str(caught.value) == f"exploration must be a number > 0, got {exploration!r}"


def test_at_small_click_rates_it_explores_far_more_than_kl_ucb() -> None:
    # 1039 against 93 on the mean of ten games, with standard errors 6 and 1.
    users, n_positions = PROBLEMS["simul-cm"]
    ucb1, kl_ucb = (
        simulate(name, users, n_positions=n_positions, n_rounds=10**5, n_games=10).mean[-1]
        for name in ("cascade-ucb1", "cascade-kl-ucb")
    )
    assert ucb1 > 5 * kl_ucb
