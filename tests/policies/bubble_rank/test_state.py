"""BubbleRank's base list and pool, and the statistics that a file may hold."""

from typing import Any

import numpy as np
import pytest

from tests.policies.situations import ordered
from unirank import ArgumentError
from unirank.policies import BubbleRank
from unirank.policies.bubble_rank.state import bubble, certainly_better, start_list, use_pool


def knowing(wins: Any, n_positions: int, **options: Any) -> BubbleRank:
    """A BubbleRank of horizon 2 that has counted these wins, and whose list is 0, 1, 2, ..."""
    table = np.array(wins, np.int64)
    policy = BubbleRank(len(table), n_positions, horizon=2, **options)
    n_items = len(table)
    clock = np.array([1, n_items - n_positions])
    policy.restore({"wins": table, "base": np.arange(n_items), "clock": clock})
    policy._on_page().round = 1
    return policy


def test_certain_is_strictly_above_the_threshold() -> None:
    state = knowing([[0, 12, 11], [0, 0, 0], [0, 0, 0]], 3).state  # 16 ln 2 = 11.09
    assert certainly_better(state, 0, 1)
    assert not certainly_better(state, 0, 2)
    assert not certainly_better(state, 1, 0)
    assert not certainly_better(state, 1, 2)


def test_losses_count_against_certainty() -> None:
    def certain(won: int, lost: int) -> bool:
        return bool(certainly_better(knowing([[0, won], [lost, 0]], 2).state, 0, 1))

    # 4 sqrt(n ln 2): 19.13 for n = 33, 19.42 for n = 34.
    assert [certain(won, 7) for won in (26, 27, 28)] == [False, True, True]
    assert [certain(won, 1) for won in (13, 14)] == [False, True]


def test_a_proved_climber_rises_by_one_pass_at_a_time() -> None:
    policy = knowing(ordered(4, 20).T, 4)  # the last is the best
    passes = []
    for _ in range(4):
        bubble(policy.state)
        passes.append(policy.base_list)
    assert passes == [(1, 2, 3, 0), (2, 3, 1, 0), (3, 2, 1, 0), (3, 2, 1, 0)]


def test_the_pool_is_compared_with_the_last_position_only() -> None:
    wins = np.zeros((6, 6))
    wins[0, 2] = wins[1, 3] = 20  # 3 is worse than the last, 1; that 2 is worse than 0 is no news
    policy = knowing(wins, 2)
    use_pool(policy.state)
    assert policy.base_list == (0, 1)
    assert policy.pool == (2, 4, 5)


def test_a_newcomer_meets_the_rest_of_the_pool_and_the_list_later() -> None:
    wins = np.zeros((5, 5))
    wins[3, 1] = 20  # 3 replaces 1,
    wins[3, 4] = 20  # drops 4 in the same pass, as it comes after,
    wins[3, 2] = 20  # and 2 in the next,
    wins[3, 0] = 20  # and rises
    policy = knowing(wins, 2)
    use_pool(policy.state)
    assert (policy.base_list, policy.pool) == ((0, 3), (2,))
    bubble(policy.state)
    use_pool(policy.state)
    assert (policy.base_list, policy.pool) == ((3, 0), (2,))  # now 0 is what 2 is compared with
    assert sorted(policy.state.base.tolist()) == list(range(5))


def test_an_item_that_sinks_to_the_last_position_meets_the_pool() -> None:
    wins = np.zeros((4, 4))
    wins[1, 0] = wins[0, 2] = 20  # 0 sinks below 1, and is better than 2, as late clicks may tell
    policy = knowing(wins, 2)
    policy.update(policy.rank(), [])
    assert (policy.base_list, policy.pool) == ((1, 0), (3,))


def test_a_start_list_is_completed_in_order() -> None:
    assert start_list(("a", "b", "c", "d"), 2, ["d", "b"]).tolist() == [3, 1, 0, 2]
    assert start_list((7, 8), 1, [8, 7]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("wins", np.zeros((2, 3), np.int64)),
        ("wins", -ordered(3)),
        ("wins", np.ones((3, 3), np.int64)),
        ("base", np.array([0, 1, 1])),
        ("base", np.array([0, 1, 3])),
        ("base", np.array([0, 1])),
        ("clock", np.array([1])),
        ("clock", np.array([-1, 0])),
        ("clock", np.array([2**40, 0])),
        ("clock", np.array([5, 2])),
        ("clock", np.array([5, -1])),
    ],
)
def test_wrong_statistics_are_refused(name: str, value: Any) -> None:
    policy = BubbleRank(3, 2, horizon=9)
    with pytest.raises(ArgumentError, match=name):
        policy.restore({**policy.statistics(), name: value})


def test_a_certain_pair_is_certain_again_after_loading() -> None:
    policy = knowing(ordered(3, 20), 3)
    assert {policy.rank().items for _ in range(50)} == {(0, 1, 2)}
