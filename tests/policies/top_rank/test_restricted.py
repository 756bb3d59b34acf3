"""The restricted blocks are those of the proofs between the items that are there."""

import numpy as np

from unirank import TopRank
from unirank.policies.top_rank.restricted import restricted_state
from unirank.policies.top_rank.state import displayed_blocks


def with_proofs(*pairs: tuple[int, int]) -> TopRank:
    policy = TopRank(5, 2, horizon=100)
    found = {name: array.copy() for name, array in policy.statistics().items()}
    for better, worse in pairs:
        found["better"][better, worse] = True
    policy.restore(found)
    return policy


def test_blocks_follow_from_the_proofs_between_available_items() -> None:
    policy = with_proofs((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4))
    assert policy.blocks == ((0,), (1,))
    found = displayed_blocks(restricted_state(policy.state, np.array([1, 2, 4])))
    assert found == [[0], [1, 2]]  # 1, then 2 and 4


def test_a_restricted_round_counts_for_the_horizon() -> None:
    policy = TopRank(5, 2, horizon=3, doubling=True)
    for _ in range(3):
        policy.rank([0, 1, 2])
    assert policy.current_horizon == 6
