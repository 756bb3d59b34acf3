"""Bounds are a shortcut: the order is that of all indices, each one solved for."""

from random import Random

import numpy as np
import pytest

from tests.policies.cascades import with_counts
from unirank import PBM
from unirank.policies import CascadeKLUCB
from unirank.policies.kernels.indices import budget, kl_ucb
from unirank.policies.kernels.randomness import POLICY, address, uniform
from unirank.policies.kernels.selection import chance_of


def indices_of(policy: CascadeKLUCB) -> list[float]:
    """Every index of the coming round, from scratch."""
    left = budget(int(policy.state.now["rounds"][0]), 3.0)
    counts = policy.state.cells[["clicked", "shown"]].tolist()
    return [kl_ucb(c / n, float(n), left) for c, n in counts]


def is_sorted_by(indices: list[float], items: list[int]) -> bool:
    others = [x for item, x in enumerate(indices) if item not in items]
    shown = [indices[item] for item in items]
    return shown == sorted(shown, reverse=True) and min(shown) >= max(others, default=0.0)


@pytest.mark.parametrize(
    ("n_items", "n_positions", "spread"),
    [(10, 5, 0.1), (10, 5, 0.9), (40, 3, 0.3), (40, 38, 0.02), (6, 6, 1.0)],
)
def test_the_order_is_that_of_all_indices(n_items: int, n_positions: int, spread: float) -> None:
    draw = Random(n_items)
    attraction = [spread * draw.random() for _ in range(n_items)]
    users = PBM(attraction, np.linspace(1.0, 0.7, n_positions))
    policy = CascadeKLUCB(n_items, n_positions, seed=1)
    for round_ in range(1, 2001):
        indices = indices_of(policy) if round_ > n_items else []
        shown = policy.rank()
        items = [int(i) for i in shown.items]
        assert not indices or is_sorted_by(indices, items), f"round {round_}"
        clicks = users.draw_clicks(items, seed=1, round=round_).tolist()
        policy.update(shown, [i for i, click in zip(items, clicks, strict=True) if click])


@pytest.mark.parametrize("rounds", [10**4, 10**6, 10**9])
def test_with_long_histories_the_order_is_that_of_all_indices(rounds: int) -> None:
    draw = Random(rounds)
    for _ in range(200):
        examined = [draw.randint(rounds // 2, rounds) for _ in range(6)]
        clicked = [round(n * (0.3 + 0.001 * draw.random())) for n in examined]
        policy = with_counts(CascadeKLUCB, clicked, examined, rounds, n_positions=3)
        for _ in range(10):
            indices = indices_of(policy)
            shown = policy.rank()
            assert is_sorted_by(indices, [int(i) for i in shown.items])
            policy.update(shown, draw.sample(shown.items, draw.randint(0, 1)))


def expected_ranking(policy: CascadeKLUCB) -> list[int]:
    """The next ranking by all indices, equal ones by their random numbers."""
    indices, rng = indices_of(policy), address(policy.seed, 0, POLICY, policy.round + 1)
    by_index = sorted(range(policy.n_items), key=lambda i: (-indices[i], uniform(rng, i)))
    return by_index[: policy.n_positions]


@pytest.mark.parametrize("rounds", [100, 10**4, 10**7])
def test_items_with_equal_counts_come_in_random_order(rounds: int) -> None:
    draw = Random(rounds)
    for seed in range(100):
        counts = [(draw.randint(0, 3), draw.randint(rounds // 2, rounds)) for _ in range(3)]
        clicked, examined = zip(*draw.choices(counts, k=8), strict=True)
        policy = with_counts(
            CascadeKLUCB, [*clicked], [*examined], rounds, n_positions=4, seed=seed
        )
        for _ in range(10):
            indices, expected = indices_of(policy), expected_ranking(policy)
            shown = policy.rank()
            assert list(shown.items) == expected
            assert shown.propensity == chance_of(np.array(indices), np.array(expected))
            policy.update(shown, draw.sample(shown.items, draw.randint(0, 1)))


def test_an_item_left_behind_comes_back_when_the_budget_has_grown() -> None:
    policy = with_counts(CascadeKLUCB, [600, 0], [1000, 12], 1000, n_positions=1)
    shown = [policy.rank().items[0] for _ in range(3000)]  # unanswered: only the budget moves
    budgets = [budget(t, 3.0) for t in range(1000, 4000)]
    expected = [int(kl_ucb(0.0, 12.0, b) > kl_ucb(0.6, 1000.0, b)) for b in budgets]
    assert shown == expected
    assert (expected[0], expected[-1]) == (0, 1)
