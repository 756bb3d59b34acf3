"""The lists that OSUB has met: keys, neighbours, room."""

from itertools import permutations

import numpy as np
import pytest

from unirank.policies.kernels.unimodal import UNPLAYED
from unirank.policies.osub.state import (
    arm_of_list,
    full,
    gather,
    grown,
    initial_state,
    keys_of,
    met,
    swaps_of,
)


def lists_of(n_items: int, n_positions: int) -> list[list[int]]:
    return [list(one) for one in permutations(range(n_items), n_positions)]


def test_all_lists_of_a_small_page_have_keys_of_their_own() -> None:
    state = initial_state(10, 5, loglog_weight=3.0)
    lists = np.array(lists_of(10, 5), np.int32)
    keys = np.zeros(len(lists), np.uint64)
    keys_of(state.marks, lists, keys)
    assert len(set(keys.tolist())) == len(lists) == 30240
    assert keys.min() > 0


def test_lists_are_numbered_as_they_are_met() -> None:
    state = initial_state(4, 2, loglog_weight=3.0)
    lists = [np.array(one) for one in lists_of(4, 2)]
    assert [met(state, one) for one in lists] == list(range(12))
    assert [met(state, one) for one in reversed(lists)] == list(range(12))[::-1]


def test_a_list_never_met_has_no_arm() -> None:
    state = initial_state(4, 2, loglog_weight=3.0)
    met(state, np.array([0, 1]))
    assert arm_of_list(state, np.array([0, 1])) == 0
    assert arm_of_list(state, np.array([1, 0])) == UNPLAYED


def test_a_full_table_grows_and_a_list_beyond_it_is_not_taken() -> None:
    state = initial_state(8, 4, loglog_weight=3.0)
    lists = [np.array(one) for one in lists_of(8, 4)]
    room = state.arms.size
    for number, one in enumerate(lists[:room]):
        assert full(state) == (number + 2 > room)
        assert met(state, one) == number
    assert met(state, lists[room]) == UNPLAYED
    larger = grown(state)
    assert not full(larger)
    assert [arm_of_list(larger, one) for one in lists[:room]] == list(range(room))
    assert met(larger, lists[room]) == room


@pytest.mark.parametrize(("n_items", "n_positions"), [(5, 3), (4, 4), (4, 3), (3, 1), (1, 1)])
def test_a_neighbourhood_holds_the_arms_that_were_met(n_items: int, n_positions: int) -> None:
    state = initial_state(n_items, n_positions, loglog_weight=3.0)
    lists = lists_of(n_items, n_positions)
    for one in lists[::2]:
        met(state, np.array(one))
    centre = len(lists[::2]) // 2
    gather(state, centre)
    order = state.order.tolist()
    assert order[:n_positions] == lists[2 * centre]
    assert sorted(order) == list(range(n_items))
    for place, (here, there) in enumerate(swaps_of(n_items, n_positions).tolist()):
        changed = order.copy()
        changed[here], changed[there] = order[there], order[here]
        number = lists.index(changed[:n_positions])
        assert state.near[place] == (UNPLAYED if number % 2 else number // 2)
