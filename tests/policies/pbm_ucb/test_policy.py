"""PBM-UCB: its index by hand, its ties, and that it learns."""

from collections import Counter
from itertools import permutations
from math import inf, log, sqrt
from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.counted import with_counts
from tests.policies.situations import SIGNIFICANCE, Items, p_value
from unirank import PBM, simulate
from unirank.policies import PBMUCB


def counted(clicked: Any, shown: Any, rounds: int, **options: Any) -> Any:
    n_positions = len(options["examination"])
    return with_counts(PBMUCB, n_positions, options, clicked=clicked, shown=shown, rounds=[rounds])


@pytest.mark.parametrize("exploration", [0.0, 0.5])
def test_the_index_by_hand(exploration: float) -> None:
    policy = counted(
        [[3, 0], [2, 1]],
        [[10, 5], [4, 8]],
        rounds=100,
        examination=[0.8, 0.5],
        exploration=exploration,
    )
    assert policy.rank().items == (1, 0)
    d = (1 + exploration) * log(100)
    expected = [
        3 / 10.5 + sqrt(15 / 10.5) * sqrt(d / 21),
        3 / 7.2 + sqrt(12 / 7.2) * sqrt(d / 14.4),
    ]
    np.testing.assert_allclose(policy.state.indices, expected, rtol=1e-14)


def test_where_every_position_is_looked_at_it_is_the_mean_and_the_root_of_ucb() -> None:
    clicked, shown = [[3, 1], [2, 0]], [[10, 5], [4, 7]]
    policy = counted(clicked, shown, rounds=50, examination=[1, 1])
    policy.rank()
    expected = [4 / 15 + sqrt(log(50) / 30), 2 / 11 + sqrt(log(50) / 22)]
    np.testing.assert_allclose(policy.state.indices, expected, rtol=1e-14)


def test_the_first_index_uses_the_length_of_the_opening() -> None:
    policy = PBMUCB(3, 1, examination=[0.5])
    for _ in range(3):
        policy.update(policy.rank(), [])
    policy.rank()
    np.testing.assert_allclose(policy.state.indices, sqrt(2) * sqrt(log(3)), rtol=1e-14)


def test_an_item_without_an_answer_comes_first() -> None:
    policy = PBMUCB(3, 1, examination=[0.5])
    for _ in range(3):
        shown = policy.rank()
        if shown.items != (1,):
            policy.update(shown, shown.items)
    assert policy.rank().items == (1,)
    assert policy.state.indices[1] == inf
    counts = policy.state.clicked, policy.state.shown
    restored = counted(*counts, rounds=3, examination=[0.5])
    assert restored.rank().items == (1,)


def test_equal_items_are_shown_in_every_order_as_likely() -> None:
    seen = Counter[Items]()
    for seed in range(3000):
        policy = counted([[1, 1]] * 3, [[4, 3]] * 3, rounds=12, examination=[1, 0.5], seed=seed)
        shown = policy.rank()
        assert shown.propensity == pytest.approx(1 / 6, rel=1e-12)
        seen[shown.items] += 1
    lists: list[Items] = list(permutations(range(3), 2))
    assert p_value(seen, dict.fromkeys(lists, 1 / 6)) > SIGNIFICANCE


def test_without_a_tie_the_list_is_certain() -> None:
    counts = [[90], [50], [50]], [[100]] * 3
    policy = counted(*counts, rounds=300, examination=[0.9])
    shown = policy.rank()
    assert (shown.items, shown.propensity) == ((0,), 1.0)


def test_it_learns() -> None:
    # At 10^5 rounds 1/14 of what random order loses.
    users, n_positions = PROBLEMS["simul-pbm"]
    assert isinstance(users, PBM)
    told = {"examination": list(users.settings["examination"])}
    learner, floor = (
        simulate(spec, users, n_positions=n_positions, n_rounds=10**5, n_games=4).mean[-1]
        for spec in (("pbm-ucb", told), "random")
    )
    assert learner < floor / 8
