"""UniRank's state: what follows from statistics, and decisions that are dropped and made again."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.situations import play, policy_with
from unirank import UniRank
from unirank.policies.uni_rank.state import (
    EVERY_NEIGHBOUR,
    LEADER,
    forget_decisions,
    initial_state,
    with_statistics,
)


@given(st.integers(0, 10**6), st.integers(2, 8), st.data())
def test_scores_kept_round_by_round_are_those_of_the_wins(
    seed: int, n_items: int, data: st.DataObject
) -> None:
    policy = UniRank(n_items, data.draw(st.integers(1, n_items)), seed=seed)
    play(policy, 60, Random(seed))
    again = policy_with(policy.state.wins, policy.n_positions)
    np.testing.assert_array_equal(policy.state.scores, again.state.scores)


def test_scores_are_doubled_copeland_scores() -> None:
    wins = np.array([[0, 2, 1], [1, 0, 0], [1, 0, 0]])  # 0 is ahead of 1, all else undecided
    state = initial_state(3, 1, loglog_weight=3.0, explore_early=False)
    scores = with_statistics(state, wins, np.zeros(0, np.uint64), np.zeros(0, np.int64)).scores
    assert scores.tolist() == [3, 1, 2]


def test_forgotten_decisions_are_made_again() -> None:
    one, two = UniRank(6, 3, seed=1), UniRank(6, 3, seed=1)
    for n in range(300):
        forget_decisions(two.state, EVERY_NEIGHBOUR)
        assert two.state.now["favourite"][0] == LEADER
        assert play(one, 1, Random(n)) == play(two, 1, Random(n))
