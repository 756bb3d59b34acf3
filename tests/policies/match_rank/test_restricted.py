"""Rounds among some of the items count for the whole, and a kept state learns its pairs."""

import numpy as np
import pytest

from unirank.policies.match_rank.memory import MEMORY
from unirank.policies.match_rank.restricted import learn_too, leave
from unirank.policies.match_rank.state import State, initial_state, restricted

NUMBERS = np.array([1, 3, 4])
LOCAL = np.array([-1, 0, -1, 1, 2])


def with_test(slot: int, other: int) -> State:
    """A state of 5 items and 2 positions in which pairs were tested."""
    state = initial_state(5, 2, 0.2)
    for table in (state.gain, state.spread, state.odds):
        table[...] = np.random.default_rng(1).random((5, 5))
    state.spread[...] += state.spread.T
    state.now["slot"], state.now["other"], state.now["rounds"] = slot, other, 7
    return state


@pytest.mark.parametrize(("slot", "other"), [(2, 4), (1, 0), (0, 0)])
def test_a_round_among_some_items_is_remembered_by_their_numbers(slot: int, other: int) -> None:
    state, memory = with_test(0, 0), np.zeros(16, np.uint8)
    some = restricted(state, NUMBERS)
    some.now["slot"], some.now["other"] = slot, 2 if slot == 2 else 0
    some.now["rounds"] += 1
    assert leave(state, some, NUMBERS, memory) == 16
    (found,) = np.frombuffer(memory.tobytes(), MEMORY)
    assert found["slot"] == slot
    assert slot < 2 or found["other"] == other
    assert state.now["rounds"] == 8


@pytest.mark.parametrize(
    ("slot", "other", "ranking", "changed"),
    [(1, 0, [3, 1], 2), (2, 4, [0, 3], 2), (2, 2, [0, 3], 0), (1, 0, [0, 3], 0), (0, 4, [3, 1], 0)],
)
def test_a_kept_state_learns_the_pair_under_test_if_it_has_both(
    slot: int, other: int, ranking: list[int], changed: int
) -> None:
    state = with_test(slot, other)
    kept, wanted = (restricted(state, NUMBERS) for _ in range(2))
    for table in (kept.gain, kept.spread, kept.odds):
        table[...] = -1.0
    learn_too(state, kept, LOCAL, np.array(ranking))
    for name in ("gain", "spread", "odds"):
        found, right = getattr(kept, name), getattr(wanted, name)
        assert (found != -1.0).sum() == changed
        np.testing.assert_array_equal(found[found != -1.0], right[found != -1.0])
