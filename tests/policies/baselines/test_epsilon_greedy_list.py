"""The list of epsilon-greedy: how likely each one is, by its schedule and by its rates."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import SIGNIFICANCE, p_value
from unirank import EpsilonGreedy
from unirank.kernels.randomness import POLICY, address
from unirank.policies.baselines.epsilon_greedy_list import propensity, rank


def with_counts(clicked: list[int], shown: list[int], rounds: int, **options: Any) -> Any:
    policy = EpsilonGreedy(len(clicked), options.pop("n_positions", 2), **options)
    counts = {"clicked": clicked, "shown": shown, "rounds": [rounds]}
    policy.restore({name: np.array(values) for name, values in counts.items()})
    return policy


@pytest.mark.parametrize(
    ("clicked", "shown"),
    [([1, 2, 0, 3], [4, 8, 5, 6]), ([0, 0, 0, 0], [0, 0, 0, 0]), ([5, 1, 0, 9], [9, 9, 0, 9])],
)
@pytest.mark.parametrize("options", [{"epsilon": 0.3}, {"exploration": 4}, {"epsilon": 0}], ids=str)
def test_lists_are_as_frequent_as_their_propensities(
    clicked: list[int], shown: list[int], options: dict[str, Any]
) -> None:
    policy = with_counts(clicked, shown, 10, **options)
    policy.rank()
    chances: dict[tuple[int | str, ...], float] = {
        one: float(propensity(policy.state, np.array(one))) for one in permutations(range(4), 2)
    }
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    seen = Counter[tuple[int | str, ...]]()
    ranking = np.empty(2, np.int64)
    for seed in range(4000):
        policy.state.now["rounds"] = 10
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
    policy = with_counts([0, 1, 2, 3], [10] * 4, rounds or 10, **options)
    policy.state.now["rounds"] = rounds
    policy.rank()
    random_only = float(propensity(policy.state, np.array([0, 1])))
    assert random_only == pytest.approx(epsilon / 12, rel=1e-12)
    best = float(propensity(policy.state, np.array([3, 2])))
    assert best == pytest.approx(epsilon / 12 + 1 - epsilon, rel=1e-12)


def test_items_never_shown_come_first() -> None:
    policy = with_counts([9, 0, 9, 0], [9, 0, 9, 9], 20, epsilon=0, n_positions=1)
    assert policy.rank().items == (1,)
