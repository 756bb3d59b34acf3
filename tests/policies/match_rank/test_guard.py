"""The guard: matched comparisons by hand, and how they overrule the model."""

import numpy as np
import pytest
from scipy.stats import norm

from unirank import MatchRank
from unirank.policies.match_rank.guard import MOST_MATCHES, compare, elect, flip, weigh
from unirank.policies.match_rank.state import State


def led(n_items: int = 4, n_positions: int = 3) -> State:
    """Items 0, 1, 2, ... are the leader, by attraction."""
    state: State = MatchRank(n_items, n_positions).state
    state.log_attraction[:] = -1.0 - np.arange(n_items)
    elect(state)
    state.now["doubt"] = 0.01
    return state


def answered(state: State, ranking: list[int], clicked: list[int], round_: int) -> None:
    """Learn from one round, shown under the present leader."""
    state.now["shown_round"], state.now["shown_version"] = round_, state.now["version"]
    clicks = np.array([item in clicked for item in ranking])
    compare(state, np.array(ranking), clicks)


def test_without_evidence_an_order_is_flipped_with_the_odds_of_the_doubt() -> None:
    assert flip(led(), 0, 1) == pytest.approx(0.01 / 1.01)


def test_evidence_is_the_normal_tail_of_z() -> None:
    state = led()
    state.sets[0, 1] = state.sets[1, 0] = 10
    state.spread[0, 1] = state.spread[1, 0] = 11.25
    state.gap[0, 1], state.gap[1, 0] = 4.0, -1.0
    state.square[0, 1], state.square[1, 0] = 6.0, 5.0
    weigh(state, 0, 1)
    v = (6.0 - 1.6 + 5.0 - 0.1) / 2
    z = (4.0 + 1.0) / np.sqrt((v + 0.5) * 11.25 / 10)
    assert state.worse[0, 1] == pytest.approx(norm.sf(z), rel=1e-12)
    assert state.worse[1, 0] == pytest.approx(norm.sf(-z), rel=1e-12)
    assert flip(state, 0, 1) == pytest.approx(
        0.01 * norm.sf(z) / (0.01 * norm.sf(z) + norm.cdf(z)), rel=1e-12
    )


def test_a_swapped_round_is_matched_with_the_next_straight_ones() -> None:
    state = led()
    answered(state, [0, 1, 2], [0], 1)  # straight before any swapped round: no match
    answered(state, [1, 0, 2], [1], 2)  # swapped: x = 1
    for n in range(MOST_MATCHES):
        assert state.sets[0, 1] == 0
        answered(state, [0, 1, 2], [0] if n < 6 else [1], 3 + n)
    assert state.sets[0, 1] == state.sets[1, 0] == 1
    assert state.spread[0, 1] == 1 + 1 / 8
    assert (state.gap[1, 0], state.square[1, 0]) == (1.0, 1.0)
    assert (state.gap[0, 1], state.square[0, 1]) == ((6 - 2) / 8, 1.0)


def test_another_swapped_round_ends_a_set_that_has_a_match() -> None:
    state = led()
    answered(state, [1, 0, 2], [], 1)
    answered(state, [1, 0, 2], [1], 2)  # the first one still waits, without a match
    answered(state, [0, 1, 2], [0], 3)
    answered(state, [1, 0, 2], [1], 4)
    assert (state.sets[0, 1], state.spread[0, 1]) == (1, 2)
    assert (state.gap[1, 0], state.gap[0, 1]) == (0.0, 1.0)


def test_an_outsider_is_compared_with_the_last_item_under_the_leaders_others() -> None:
    state = led()
    answered(state, [1, 0, 3], [3], 1)  # the items above are the leader's, in any order
    answered(state, [0, 1, 2], [], 2)
    answered(state, [0, 3, 2], [], 3)  # not those of the leader above
    answered(state, [0, 1, 3], [], 4)
    assert (state.sets[2, 3], state.gap[3, 2], state.gap[2, 3]) == (1, 1.0, 0.0)


def test_a_late_answer_is_not_credited_to_a_slot_that_changed() -> None:
    state = led()
    old = int(state.now["version"][0])
    state.log_attraction[1] = 0.0  # 1 overtakes 0
    elect(state)
    assert state.leader.tolist() == [1, 0, 2, 3]
    state.now["shown_round"], state.now["shown_version"] = 5, old
    compare(state, np.array([0, 1, 2]), np.array([True, False, False]))
    assert state.waiting["since"][1] == 0
    state.now["shown_version"] = state.now["version"]
    compare(state, np.array([0, 1, 2]), np.array([True, False, False]))
    assert state.waiting["since"][1] == 5


def test_a_straight_round_shown_before_the_swapped_one_is_no_match() -> None:
    state = led()
    answered(state, [1, 0, 2], [], 7)
    answered(state, [0, 1, 2], [], 6)
    assert state.waiting["matches"][1] == 0
    answered(state, [0, 1, 2], [], 8)
    assert state.waiting["matches"][1] == 1


@pytest.mark.parametrize(("better", "leader"), [(1, [1, 0, 2, 3]), (0, [0, 1, 2, 3])])
def test_strong_evidence_overrules_the_model(better: int, leader: list[int]) -> None:
    state = led()
    worse = 1 - better
    state.sets[0, 1] = state.sets[1, 0] = 100
    state.spread[0, 1] = state.spread[1, 0] = 112.5
    state.gap[better, worse], state.gap[worse, better] = 50.0, -50.0
    state.square[0, 1] = state.square[1, 0] = 60.0
    weigh(state, 0, 1)
    elect(state)
    assert state.leader.tolist() == leader
