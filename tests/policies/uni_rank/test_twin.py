"""Compiled UniRank and its literal twin agree on every ranking, leader and statistic."""

import random
from typing import Literal

import numpy as np
import pytest

from tests.reference.click_models import CM as CMTwin
from tests.reference.click_models import PBM as PBMTwin
from tests.reference.randomness import USERS, Rng
from tests.reference.uni_rank import UniRankTwin
from unirank import UniRank

N_ROUNDS = 3000


def problem(number: int) -> tuple[int, int, CMTwin | PBMTwin]:
    """A random problem: 2..12 items, 1..L positions, PBM or CM, often with equal attractions."""
    draw = random.Random(number)
    n_items = draw.randint(2, 12)
    n_positions = draw.randint(1, n_items)
    values = [draw.random() ** 2 for _ in range(draw.randint(1, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    if number % 2:
        return n_items, n_positions, CMTwin(attraction)
    examination = sorted((draw.random() for _ in range(n_positions)), reverse=True)
    return n_items, n_positions, PBMTwin(attraction, examination)


@pytest.mark.parametrize("number", range(30))
def test_compiled_and_literal_agree_round_by_round(number: int) -> None:
    n_items, n_positions, users = problem(number)
    early: Literal["leader", "explore"] = "explore" if number % 3 == 0 else "leader"
    budget: Literal["kl-ucb", "ln"] = "ln" if number % 5 == 0 else "kl-ucb"
    twin = UniRankTwin(n_items, n_positions, seed=number, early=early, budget=budget)
    policy = UniRank(n_items, n_positions, seed=number, early=early, budget=budget)
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        assert policy.leader == twin.leader
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        clicks = users.clicks(expected, Rng(number, 0, USERS, round_))
        twin.update(expected, clicks)
        policy.update(shown, [i for i, c in zip(expected, clicks, strict=True) if c])
        if round_ % 100 == 0:
            wins = policy.state.wins
            np.testing.assert_array_equal(wins - wins.T, twin.differences)
            np.testing.assert_array_equal(wins + wins.T, twin.comparisons)
            assert shown.propensity == pytest.approx(float(twin.propensity(expected)), abs=1e-12)
