"""GRAB: the specification's cases, its options, and what it learns."""

from math import exp, log
from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.leaders import neighbours_of, with_counts
from unirank import PBM, ArgumentError, simulate
from unirank.policies import GRAB


def test_neighbours_swap_by_decreasing_mean_and_replace_the_last() -> None:
    # Leader 0, 1, 2 by position, with means .2, .9, .5: the order of positions is 1, 2, 0.
    clicked = [[2, 0, 0, 0, 0], [0, 9, 0, 0, 0], [0, 0, 5, 0, 0]]
    policy = with_counts(GRAB, clicked, [[10] * 5] * 3)
    assert policy.leader == (0, 1, 2)
    swaps = {(0, 2, 1), (2, 1, 0)}
    assert neighbours_of(policy) == swaps | {(3, 1, 2), (4, 1, 2)}


@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (5, 1), (6, 4), (5, 5)])
def test_there_are_one_less_neighbours_than_items(n_items: int, n_positions: int) -> None:
    draws = np.random.default_rng(n_items)
    clicked = draws.integers(0, 100, (n_positions, n_items)).tolist()
    policy = with_counts(GRAB, clicked, [[100] * n_items] * n_positions)
    lists = neighbours_of(policy)
    assert len(lists) == len(policy.state.first) == n_items - 1
    assert policy.leader not in lists
    assert n_items > n_positions or policy.state.n_swaps == n_items - 1


def test_with_all_indices_equal_the_leader_is_always_played() -> None:
    policy = with_counts(GRAB, [[5] * 3] * 2, [[5] * 3] * 2)
    leader = policy.leader
    for _ in range(20):
        assert policy.rank().items == leader


def test_an_unexplored_neighbour_is_played_but_once_a_period() -> None:
    policy = with_counts(GRAB, [[9, 0, 0], [0, 5, 0]], [[9, 9, 9], [9, 9, 0]], period=4)
    shown = [policy.rank().items for _ in range(9)]
    assert shown == [(0, 1), *[(0, 2)] * 3, (0, 1), *[(0, 2)] * 3, (0, 1)]


def test_the_default_period_is_the_number_of_items() -> None:
    policy = with_counts(GRAB, [[9, 0, 0], [0, 5, 0]], [[9, 9, 9], [9, 9, 0]])
    shown = [policy.rank().items for _ in range(7)]
    assert [items == (0, 1) for items in shown] == [True, False, False] * 2 + [True]


@pytest.mark.parametrize(
    ("seen", "explores"), [(0, False), (1, False), (2, False), (3, False), (50, True)]
)
def test_the_budget_is_that_of_the_leaders_rounds(seen: int, explores: bool) -> None:
    # Item 0 has mean .5 in 1000 shows, item 1 has 0 in 5: 1 - exp(-b / 5) against about .5.
    policy = with_counts(GRAB, [[500, 0]], [[1000, 5]], seen, period=1000)
    assert (policy.rank().items == (1,)) == explores


def test_indices_by_hand() -> None:
    policy = with_counts(GRAB, [[500, 0]], [[1000, 5]], 50)
    policy.rank()
    policy.rank()
    b = log(51) + 3 * log(log(51))
    cell = policy.state.cells[0, 1]
    assert cell["index"] == pytest.approx(1 - exp(-cell["budget"] / 5), abs=1e-12)
    assert cell["budget"] == pytest.approx(b, rel=0.02)


@pytest.mark.parametrize(("horizon", "explores"), [(31, False), (33, True)])
def test_a_known_horizon_fixes_the_budget(horizon: int, explores: bool) -> None:
    # Never clicked in 5 shows: 1 - T^(-1/5), which is .5 at T = 32; the other one has mean .5.
    policy = with_counts(
        GRAB,
        [[5 * 10**11, 0]],
        [[10**12, 5]],
        1,
        budget="horizon",
        horizon=horizon,
    )
    assert (policy.rank().items == (1,)) == explores


def test_neighbours_that_tie_are_drawn_uniformly() -> None:
    shown = [
        with_counts(GRAB, [[5, 0, 0, 0]], [[9, 0, 0, 0]], 1, seed=seed).rank()
        for seed in range(300)
    ]
    assert {one.propensity for one in shown} == {1 / 3}
    counts = [sum(one.items == (item,) for one in shown) for item in range(4)]
    assert counts[0] == 0
    assert min(counts[1:]) > 70


def test_the_first_leader_is_random() -> None:
    first = {GRAB(3, 2, seed=seed).rank().items for seed in range(100)}
    assert len(first) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": "lead"}, "leader"),
        ({"budget": "horizon"}, "horizon must be an integer with budget='horizon', got None"),
        ({"horizon": 10}, "horizon must be None unless budget='horizon', got 10"),
        ({"budget": "horizon", "horizon": 0}, "horizon must be in 1"),
        ({"period": 0}, "period must be >= 1"),
        ({"period": 1.5}, "period must be an integer"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        GRAB(3, 2, **options)


def lost(policy: Any, users: PBM, n_rounds: int) -> float:
    trace = simulate(
        policy, users, n_positions=users.n_positions, n_rounds=n_rounds, n_games=4, seed=2
    )
    return float(trace.mean[-1])


@pytest.mark.parametrize("policy", ["grab", ("grab", {"budget": "horizon", "horizon": 50_000})])
def test_it_learns_though_positions_are_out_of_order(policy: Any) -> None:
    # The best position is the second one, which the policy has to find out.
    users = PBM([0.9, 0.7, 0.5, 0.1, 0.1, 0.1], [0.3, 1.0, 0.6])
    assert lost(policy, users, 50_000) < 0.02 * lost("random", users, 50_000)


def test_on_simul_it_loses_less_than_a_third_of_random() -> None:
    users, _ = PROBLEMS["simul-pbm"]
    assert isinstance(users, PBM)
    assert lost("grab", users, 100_000) < lost("random", users, 100_000) / 3
