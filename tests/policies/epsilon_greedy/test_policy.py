"""Epsilon-greedy: its schedule, its probabilities, its options, its files, and what it learns."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tests.policies.counted import with_counts
from tests.policies.situations import SIGNIFICANCE, Items, p_value
from unirank import PBM, ArgumentError, simulate
from unirank.policies import EpsilonGreedy
from unirank.policies.epsilon_greedy.policy import propensity, rank
from unirank.policies.kernels.randomness import POLICY, address


def counted(
    clicked: list[int], shown: list[int], rounds: int, n_positions: int = 2, **options: Any
) -> Any:
    return with_counts(
        EpsilonGreedy, n_positions, options, clicked=clicked, shown=shown, rounds=[rounds]
    )


@pytest.mark.parametrize(
    ("clicked", "shown"),
    [([1, 2, 0, 3], [4, 8, 5, 6]), ([0, 0, 0, 0], [0, 0, 0, 0]), ([5, 1, 0, 9], [9, 9, 0, 9])],
)
@pytest.mark.parametrize("options", [{"epsilon": 0.3}, {"exploration": 4}, {"epsilon": 0}], ids=str)
def test_lists_are_as_frequent_as_their_propensities(
    clicked: list[int], shown: list[int], options: dict[str, Any]
) -> None:
    policy = counted(clicked, shown, 10, **options)
    policy.rank()
    chances: dict[Items, float] = {
        one: float(propensity(policy.state, np.array(one))) for one in permutations(range(4), 2)
    }
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    seen = Counter[Items]()
    ranking = np.empty(2, np.int64)
    for seed in range(4000):
        policy.state.rounds[0] = 10
        rank(policy.state, address(seed, 0, POLICY, 1), ranking)
        seen[tuple(ranking.tolist())] += 1
    if len(seen) > 1:
        assert p_value(seen, chances) > SIGNIFICANCE
    else:
        assert chances[next(iter(seen))] == 1


@pytest.mark.parametrize(
    ("options", "rounds", "epsilon"),
    [
        ({}, 0, 1.0),  # 4 items: c = 40
        ({}, 39, 1.0),
        ({}, 40, 40 / 41),
        ({}, 399, 0.1),
        ({"exploration": 0.5}, 0, 0.5),
        ({"exploration": 7}, 99, 0.07),
        ({"epsilon": 0.2}, 10**6, 0.2),
        ({"epsilon": 1}, 10**6, 1.0),
    ],
)
def test_the_chance_of_a_random_list(options: Any, rounds: int, epsilon: float) -> None:
    policy = counted([0, 1, 2, 3], [10] * 4, rounds or 10, **options)
    policy.state.rounds[0] = rounds
    policy.rank()
    random_only = float(propensity(policy.state, np.array([0, 1])))
    assert random_only == pytest.approx(epsilon / 12, rel=1e-12)
    best = float(propensity(policy.state, np.array([3, 2])))
    assert best == pytest.approx(epsilon / 12 + 1 - epsilon, rel=1e-12)


def test_items_never_shown_come_first() -> None:
    policy = counted([9, 0, 9, 0], [9, 0, 9, 9], 20, n_positions=1, epsilon=0)
    assert policy.rank().items == (1,)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"exploration": 0}, "exploration must be a number > 0, got 0"),
        ({"epsilon": 1.5}, "epsilon must be in [0, 1], got 1.5"),
        (
            {"epsilon": 0.1, "exploration": 5},
            "exploration must be left out beside epsilon, got 5.0",
        ),
    ],
)
def test_a_wrong_option_is_named_with_its_rule_and_value(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        EpsilonGreedy(3, 2, **options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("clicked", "shown", "rounds", "told"),
    [
        ([0, 0], [0, 0], -1, "rounds must be in 0..1099511627775, got -1"),
        ([0, 0], [0, 0], 2**60, "rounds must be in 0.."),
        ([0, 0], [0, 6], 5, "rounds must be in 6..1099511627775, got 5"),
        ([0, 0], [0, -1], 5, "shown must be counts"),
        ([0, 3], [0, 2], 5, "clicked must be counts of at most shown"),
        ([0], [0, 0], 5, "clicked must have shape (2,)"),
    ],
)
def test_counts_that_cannot_be_are_refused(
    clicked: list[int], shown: list[int], rounds: int, told: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        counted(clicked, shown, rounds, n_positions=1)
    assert str(caught.value).startswith(told)


def test_it_loses_far_less_than_random_order_and_a_fixed_epsilon_loses_its_share() -> None:
    users = PBM([0.9, 0.7, 0.5, 0.3, 0.1], [1.0, 0.9, 0.8])
    random, decreasing, fixed = (
        simulate(policy, users, n_positions=3, n_rounds=10**5, n_games=10).mean[-1]
        for policy in ("random", "epsilon-greedy", ("epsilon-greedy", {"epsilon": 0.1}))
    )
    assert decreasing < random / 50
    assert random / 12 < fixed < random / 8
