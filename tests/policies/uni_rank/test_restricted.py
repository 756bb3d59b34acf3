"""The restricted leader is that of the sub-tournament; its rounds are counted with the others."""

from random import Random

import numpy as np
import pytest

from tests.policies.situations import leaders_met, ordered, play, policy_with
from unirank import UniRank
from unirank.policies.uni_rank.leader import elicit_leader
from unirank.policies.uni_rank.restricted import restricted_state
from unirank.policies.uni_rank.state import subsets


@pytest.mark.parametrize("seed", range(20))
def test_the_leader_is_that_of_the_sub_tournament(seed: int) -> None:
    policy, draw = UniRank(9, 3, seed=seed), Random(seed)
    play(policy, 60, draw)
    numbers = np.array(sorted(draw.sample(range(9), draw.randint(3, 9))))
    wins = policy.state.wins[np.ix_(numbers, numbers)]
    found = subsets(restricted_state(policy.state, numbers, 3))
    assert tuple(map(tuple, found)) == elicit_leader(wins - wins.T, 3)


def test_a_leader_is_the_same_whichever_items_of_the_rest_are_there() -> None:
    policy = policy_with(ordered(6, 50), 2, seen=5)
    before = leaders_met(policy)
    policy.rank([0, 1, 2, 4])
    assert sum(leaders_met(policy).values()) == sum(before.values()) + 1
    assert leaders_met(policy).keys() == before.keys()


def test_another_leader_has_a_count_of_its_own() -> None:
    policy = policy_with(ordered(6, 50), 2, seen=5)
    policy.rank([1, 2, 3, 4])
    assert sorted(leaders_met(policy).values()) == [1, 5]


def test_a_table_of_leaders_grows_for_restricted_ones_too() -> None:
    policy, draw = policy_with(ordered(40, 50), 3), Random(1)
    for _ in range(700):
        policy.rank(draw.sample(range(40), 20))
    assert sum(leaders_met(policy).values()) == 700
