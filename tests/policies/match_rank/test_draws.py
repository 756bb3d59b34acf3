"""Lists drawn again: reproducible, other than those shown, and without effect on the policy."""

import numpy as np
from numpy.typing import NDArray

from tests.policies.match_rank.situations import played, sized
from unirank import MatchRank
from unirank.policies.match_rank.draws import lists_again


def again(policy: MatchRank, round_: int = 1, n_draws: int = 200) -> NDArray[np.int64]:
    return lists_again(policy.next_state(), policy.seed, round_, n_draws)


def test_every_list_is_a_ranking() -> None:
    lists = again(sized(6, 4, 20))
    assert lists.min() >= 0
    assert lists.max() < 6
    assert all(len(set(one)) == 4 for one in lists.tolist())


def test_they_depend_on_seed_and_round_only() -> None:
    policy = played(30)
    np.testing.assert_array_equal(again(policy), again(policy))
    assert (again(policy) != again(policy, round_=2)).any()
    np.testing.assert_array_equal(again(policy, n_draws=50), again(policy)[:50])


def test_they_are_not_the_lists_that_are_shown() -> None:
    policy = MatchRank(6, 3, seed=2)
    policy.state.now["next_refresh"] = 10**9
    drawn = again(policy, round_=0, n_draws=21)[1:]
    shown = [policy.rank().items for _ in range(20)]
    assert sum(tuple(one) == two for one, two in zip(drawn.tolist(), shown, strict=True)) < 5
