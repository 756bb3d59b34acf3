"""BubbleRank on the cases of its specification: swaps, pool, safety, files and options."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.lab.simulation.problems import LOOKS, SIMUL
from tests.policies.counted import clicks_on, play_until
from tests.policies.situations import some_clicks
from tests.policies.test_papers import play_beside, problem
from unirank import PBM, ArgumentError, Ranking, StateFileError, load, papers, simulate
from unirank.policies import BubbleRank
from unirank.policies.bubble_rank.policy import rank, update
from unirank.policies.kernels.compiling import compiled_allocating
from unirank.policies.kernels.randomness import POLICY, USERS, at_round, stream_key
from unirank.users.position_based import click


def play(policy: BubbleRank, n_rounds: int, seed: int = 2) -> list[Ranking]:
    draw, played = Random(seed), []
    for _ in range(n_rounds):
        played.append(policy.rank())
        policy.update(played[-1], some_clicks(played[-1].items, draw))
    return played


# The specification's numbers.


def test_258_straight_wins_exchange_two_items_and_257_do_not() -> None:
    policy = BubbleRank(2, 2, horizon=10**7, initial=[0, 1])
    n_wins = 0
    while n_wins < 257:
        shown = policy.rank()
        policy.update(shown, [1])
        n_wins += shown.round % 2 == 0
    assert policy.base_list == (0, 1)
    policy.update(policy.rank(), [1])  # an odd round compares nothing
    assert policy.base_list == (0, 1)
    policy.update(policy.rank(), [1])
    assert policy.base_list == (1, 0)
    assert {policy.rank().items for _ in range(100)} == {(1, 0)}


@pytest.mark.parametrize(("n_compared", "least"), [(1, 16.06), (25, 80.30), (100, 160.59)], ids=str)
def test_thresholds_are_those_of_the_specification(n_compared: int, least: float) -> None:
    policy = BubbleRank(2, 2, horizon=10**7)
    assert np.sqrt(policy.state.factor * n_compared) == pytest.approx(least, abs=1e-2)


# The pool.


def test_a_better_item_of_the_pool_takes_the_last_position_for_good() -> None:
    policy = BubbleRank(4, 1, horizon=10, initial=[0])
    play_until(policy, lambda: policy.base_list != (0,), lambda shown: clicks_on([2], shown))
    assert policy.base_list == (2,)
    assert set(policy.pool) == {1, 3}  # item 0 has left
    assert policy.state.wins[2, 0] == 37  # the first above 16 ln 10 = 36.8


def test_a_worse_item_of_the_pool_is_dropped_for_good() -> None:
    policy = BubbleRank(3, 1, horizon=10, initial=[0])
    play_until(policy, lambda: len(policy.pool) == 1, lambda shown: clicks_on([0], shown))
    (left,) = policy.pool
    (gone,) = {1, 2} - {left}
    assert policy.state.wins[0, gone] == 37
    assert gone not in {item for shown in play(policy, 500) for item in shown.items}


# Rounds.


def moved(policy: BubbleRank, n_rounds: int) -> dict[int, set[tuple[int, ...]]]:
    """The sets of neighbouring positions, from 1, that swap in even and in odd rounds."""
    found: dict[int, set[tuple[int, ...]]] = {0: set(), 1: set()}
    for _ in range(n_rounds):
        shown = policy.rank()
        differ = [p for p in range(1, policy.n_positions + 1) if shown.items[p - 1] != p - 1]
        found[shown.round % 2].add(tuple(differ))
    return found


def test_even_rounds_swap_12_and_34_and_odd_ones_23_and_45() -> None:
    found = moved(BubbleRank(5, 5, horizon=100, initial=range(5)), 200)
    assert found[0] == {(), (1, 2), (3, 4), (1, 2, 3, 4)}
    assert found[1] == {(), (2, 3), (4, 5), (2, 3, 4, 5)}


@pytest.mark.parametrize(("n_positions", "parity"), [(1, 0), (2, 1), (4, 1), (5, 0)])
def test_the_pool_reaches_the_last_position_when_the_pairs_leave_it_out(
    n_positions: int, parity: int
) -> None:
    policy = BubbleRank(9, n_positions, horizon=100, initial=range(n_positions))
    newcomers: dict[int, set[int]] = {0: set(), 1: set()}
    for _ in range(400):
        shown = policy.rank()
        newcomers[shown.round % 2] |= {int(i) for i in shown.items if int(i) >= n_positions}
        assert all(int(item) < n_positions for item in shown.items[:-1])
    assert newcomers[parity] == set(range(n_positions, 9))
    assert newcomers[1 - parity] == set()


def test_a_pool_item_and_the_last_one_are_compared_equally_often() -> None:
    # Everyone clicks: each of the 2 x 4 comparisons has 1/8 of 10,000 rounds, +- 5 deviations.
    policy = BubbleRank(5, 1, horizon=10**9, initial=[0])
    for _ in range(20_000):
        shown = policy.rank()
        policy.update(shown, shown.items)
    wins = policy.state.wins
    assert wins[1:, 1:].sum() == 0
    assert wins[0, 0] == 0
    assert np.concatenate((wins[0, 1:], wins[1:, 0])) == pytest.approx(1250, abs=5 * 33)


def test_certainty_can_be_lost_again() -> None:
    policy = BubbleRank(2, 2, horizon=2, initial=[0, 1])
    for _ in range(24):
        policy.update(policy.rank(), [0])  # 12 wins: just above 16 ln 2 = 11.1
    assert {policy.rank().items for _ in range(50)} == {(0, 1)}
    for _ in range(4):
        policy.update(policy.rank(), [1])
    assert {policy.rank().items for _ in range(50)} == {(0, 1), (1, 0)}


@pytest.mark.parametrize("number", range(6))
def test_from_a_start_list_rankings_are_those_of_the_plain_edition(number: int) -> None:
    n_items, n_positions, users = problem(number)
    initial = [range(n_positions), range(n_items)[::-1]][number % 2]
    compiled, literal = (
        cls(n_items, n_positions, seed=number, horizon=2, initial=initial)
        for cls in (BubbleRank, papers.BubbleRank)
    )
    play_beside(compiled, literal, users, delay=30 * (number % 3))


def test_late_clicks_change_no_list_but_by_what_they_teach() -> None:
    prompt, late = (BubbleRank(6, 3, horizon=1000, seed=4) for _ in range(2))
    shown = [late.rank() for _ in range(40)]
    assert [prompt.rank() for _ in range(40)] == shown
    draw = Random(5)
    clicks = {one.round: some_clicks(one.items, draw) for one in shown}
    for one in shown:
        prompt.update(one.round, clicks[one.round])
    for one in reversed(shown):
        late.update(one, clicks[one.round])
    np.testing.assert_array_equal(prompt.state.wins, late.state.wins)
    assert play(prompt, 100) == play(late, 100)


# Safety and learning.


@pytest.mark.parametrize(
    ("start", "end", "share"),
    [([0, 2, 1, 3, 4], {1, 2}, 0.92), ([0, 5, 1, 2, 3], {1}, 0.83)],
    ids=["close", "coarse"],
)
def test_no_list_is_much_worse_than_the_start(
    start: list[int], end: set[int], share: float
) -> None:
    """The paper's safety: at most K/2 wrongly ordered pairs more, but for delta K^2 T = 2.5e-14.

    Nor are there fewer clicks than where all pairs of the start that can be swapped are, for the
    worse, and the pool's worst item is at the end: 92 % and 83 % of the clicks of the start.
    """
    users = PBM(SIMUL, LOOKS)
    most = n_wrong(start) + 5 / 2
    for seed in range(5):
        policy = BubbleRank(10, 5, horizon=10**5, initial=start, seed=seed)
        for items in lists_shown(policy, users, 10**5):
            assert n_wrong(items) <= most
            assert users.value(items) >= share * users.value(start)
        assert policy.base_list[0] == 0
        assert policy.base_list[1] in end


def n_wrong(items: Iterable[int]) -> int:
    """Pairs of a list in the wrong order."""
    return sum(SIMUL[i] < SIMUL[j] for i, j in combinations(items, 2))


def lists_shown(policy: BubbleRank, users: PBM, n_rounds: int) -> set[tuple[int, ...]]:
    """Play, and tell which lists were shown."""
    rankings = np.empty((n_rounds, policy.n_positions), np.int64)
    ours, theirs = (np.uint64(stream_key(policy.seed, 0, stream)) for stream in (POLICY, USERS))
    clicks = np.zeros(policy.n_positions, np.bool_)
    play_compiled(policy.state, users.shuffled(np.arange(10)), ours, theirs, rankings, clicks)
    return {tuple(ranking) for ranking in np.unique(rankings, axis=0).tolist()}


@compiled_allocating
def play_compiled(
    state: Any,
    model: Any,
    policy_key: np.uint64,
    users_key: np.uint64,
    rankings: NDArray[np.int64],
    clicks: NDArray[np.bool_],
) -> None:
    for row in range(len(rankings)):
        rank(state, at_round(policy_key, row + 1), rankings[row])
        click(model, rankings[row], at_round(users_key, row + 1), clicks)
        update(state, rankings[row], clicks)


def test_a_random_start_is_mended() -> None:
    # Random order loses 8 times as much over 200,000 rounds; 4 is far beyond chance for ten games.
    users = PBM([0.9, 0.6, 0.3, 0.1, 0.1, 0.1], [1.0, 0.7, 0.4])
    floor, learner = (
        simulate(policy, users, n_positions=3, n_rounds=200_000, n_games=10).mean[-1]
        for policy in ("random", ("bubblerank", {"horizon": 200_000}))
    )
    assert learner < floor / 4


# Files and options.


@pytest.mark.parametrize(
    "memory", [(0,), (2, -1), (-1, -1), (0, 7), (0, 2), (0, -2), (1, 6)], ids=str
)
def test_a_forged_memory_is_refused(tmp_path: Path, memory: tuple[int, ...]) -> None:
    policy = BubbleRank(7, 5, horizon=3, initial=range(5))
    policy.rank()
    saved = policy.to_saved()
    assert saved.unanswered is not None
    saved.unanswered.memories[0] = np.array(memory).tobytes()
    with pytest.raises(ArgumentError, match="unanswered round 1 is not one this policy gave"):
        BubbleRank.from_saved(saved)


def test_the_start_list_speaks_in_item_ids() -> None:
    policy = BubbleRank(["a", "b", "c", "d"], 2, horizon=10, initial=["d", "b"])
    assert policy.base_list == ("d", "b")
    assert set(policy.pool) == {"a", "c"}
    assert BubbleRank(["a", "b"], 1, horizon=10, initial=("b", "a")).options["initial"] == [
        "b",
        "a",
    ]
    assert BubbleRank.item_options == ("initial",)


def test_without_a_start_list_each_game_draws_its_own() -> None:
    policies = [BubbleRank(9, 3, horizon=10, seed=seed) for seed in range(5)]
    assert [policy.base_list for policy in policies] == [()] * 5
    for policy in policies:
        policy.rank()
    assert len({policy.base_list for policy in policies}) == 5


@pytest.mark.parametrize(
    ("initial", "told"),
    [
        (3, "initial must be a list of item ids, got 3"),
        ("ab", "initial must be a list of item ids, got 'ab'"),
        ([], "initial must not be empty, got []"),
        ([0, 0], "initial must be unique, got 0 twice"),
        ([0], "initial must be n_positions=2 or all 4 of the items, each once, got [0]"),
        (
            [0, 1, 2],
            "initial must be n_positions=2 or all 4 of the items, each once, got [0, 1, 2]",
        ),
        ([0, 4], "initial must be n_positions=2 or all 4 of the items, each once, got [0, 4]"),
        ([0, "1"], "initial must be n_positions=2 or all 4 of the items, each once, got [0, '1']"),
    ],
)
def test_what_is_no_start_list_is_refused_by_name(initial: Any, told: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        BubbleRank(4, 2, horizon=9, initial=initial)
    assert str(caught.value) == told


def test_a_forged_file_is_refused(tmp_path: Path) -> None:
    policy = BubbleRank(4, 2, horizon=9)
    play(policy, 9)
    policy.state.base[0] = policy.state.base[1]
    policy.save(tmp_path / "state")
    with pytest.raises(StateFileError, match="base must be an order of all items"):
        load(tmp_path / "state")
