"""KL-CombUCB1: its index by hand, its options, and what it learns."""

from math import exp, log
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from tests.reference.randomness import POLICY, Rng
from unirank import PBM, ArgumentError, simulate
from unirank.policies import KLCombUCB1
from unirank.policies.kernels.indices import budget, kl_ucb


def with_counts(
    clicked: list[list[int]], shown: list[list[int]], rounds: int, **options: Any
) -> KLCombUCB1:
    policy = KLCombUCB1(len(clicked[0]), len(clicked), **options)
    counts = {"clicked": np.array(clicked), "shown": np.array(shown)}
    policy.restore({**counts, "rounds": np.array([rounds])})
    return policy


@pytest.mark.parametrize(("rounds", "first"), [(2, 0), (3, 0), (20, 1)])
def test_the_budget_is_that_of_the_rounds(rounds: int, first: int) -> None:
    # Never clicked in 5 shows: 1 - exp(-b / 5), .24 at t = 3 and .72 at t = 20; the other is .5.
    b = log(20) + 3 * log(log(20))
    assert 1 - exp(-b / 5) == pytest.approx(0.716, abs=1e-3)
    policy = with_counts([[5 * 10**11, 0]], [[10**12, 5]], rounds)
    assert policy.rank().items == (first,)


@pytest.mark.parametrize(("horizon", "first"), [(31, 0), (33, 1)])
def test_a_known_horizon_fixes_the_budget(horizon: int, first: int) -> None:
    options: dict[str, Any] = {"budget": "horizon", "horizon": horizon}
    policy = with_counts([[5 * 10**11, 0]], [[10**12, 5]], 10**6, **options)
    assert policy.rank().items == (first,)


def test_the_sum_counts_and_not_the_best_cell() -> None:
    # .9 + .1 at most for item 0 on top, .8 + .8 for the other list.
    clicked = [[9 * 10**8, 8 * 10**8], [8 * 10**8, 10**8]]
    policy = with_counts(clicked, [[10**9] * 2] * 2, 10**6)
    assert policy.rank().items == (1, 0)


def test_every_cell_is_tried_first() -> None:
    policy = KLCombUCB1(4, 2, seed=1)
    for _ in range(4):
        policy.update(policy.rank(), [])
    assert (policy.state.shown == 1).all()


def test_the_first_list_is_random() -> None:
    assert len({KLCombUCB1(3, 2, seed=seed).rank().items for seed in range(100)}) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": "leader"}, "rounds"),
        ({"budget": "horizon"}, "horizon must be an integer with budget='horizon', got None"),
        ({"horizon": 10}, "horizon must be None unless budget='horizon', got 10"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        KLCombUCB1(3, 2, **options)


@pytest.mark.parametrize("rounds", [[-1], [2**62], [1, 2]])
def test_forged_rounds_are_refused(rounds: list[int]) -> None:
    policy = KLCombUCB1(3, 2)
    with pytest.raises(ArgumentError, match=r"^rounds must "):
        policy.restore({**policy.statistics(), "rounds": np.array(rounds)})


def test_it_learns_though_positions_are_out_of_order() -> None:
    users = PBM([0.9, 0.7, 0.5, 0.1, 0.1, 0.1], [0.3, 1.0, 0.6])
    ours, random = (
        simulate(name, users, n_positions=3, n_rounds=50_000, n_games=4, seed=2).mean[-1]
        for name in ("kl-comb-ucb", "random")
    )
    assert ours < 0.05 * random


@pytest.mark.parametrize(
    ("attraction", "n_positions", "n_rounds"),
    [
        (np.linspace(0.3, 0.001, 100), 10, 1500),  # many cells tie but for their noise
        ([0.3, 0.3, 0.2, 0.2, 0.1], 3, 1500),
        ([0.0] * 12, 4, 800),
        ([0.5] * 4, 4, 800),
    ],
    ids=str,
)
def test_the_list_is_that_of_all_indices_and_another_program(
    attraction: Any, n_positions: int, n_rounds: int
) -> None:
    users = PBM(attraction, np.linspace(1.0, 0.5, n_positions))
    policy = KLCombUCB1(len(attraction), n_positions, seed=2)
    state = policy.state
    noise = [
        [Rng(2, 0, POLICY, 0).uniform(k * len(attraction) + i) for i in range(len(attraction))]
        for k in range(n_positions)
    ]
    for round_ in range(1, n_rounds + 1):
        pairs = np.stack([state.clicked.ravel(), state.shown.ravel()], axis=1)
        shown = policy.rank()
        distinct, which = np.unique(pairs, axis=0, return_inverse=True)
        b = budget(round_ - 1, 3.0)
        solved = [kl_ucb(c / max(n, 1), float(n), b) for c, n in distinct.tolist()]
        indices = np.array(solved)[which.ravel()].reshape(state.shown.shape)
        _, expected = linear_sum_assignment(indices + 2.0**-30 * np.array(noise), maximize=True)
        assert list(shown.items) == expected.tolist(), f"round {round_}"
        clicks = users.draw_clicks([int(i) for i in shown.items], seed=2, round=shown.round)
        policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])
