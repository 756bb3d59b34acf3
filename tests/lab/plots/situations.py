"""Policies that know something, for the tests of pictures."""

import numpy as np

from tests.policies.situations import policy_with
from unirank import PBM, UniRank
from unirank.lab.simulation import LeaderHistory, follow_leader


def users(n_items: int, n_positions: int) -> PBM:
    return PBM(np.linspace(0.9, 0.05, n_items), np.linspace(1.0, 0.3, n_positions))


def played(n_items: int, n_positions: int, n_rounds: int) -> tuple[UniRank, LeaderHistory]:
    policy = UniRank(n_items, n_positions, seed=3)
    return policy, follow_leader(policy, users(n_items, n_positions), n_rounds, seed=1)


def ordered(n_items: int, n_positions: int, *, won: int, lost: int, seen: int) -> UniRank:
    """Item i is ahead of each item after it, by the same score."""
    wins = np.triu(np.full((n_items, n_items), won), 1)
    return policy_with(wins + np.triu(np.full_like(wins, lost), 1).T, n_positions, seen=seen)


def three(seen: int = 100) -> UniRank:
    """a is surely ahead of b, b hardly ahead of c; d, also below the page, lost to all."""
    wins = [[0, 40, 30, 30], [4, 0, 12, 30], [0, 10, 0, 3], [0, 1, 3, 0]]
    return policy_with(wins, 2, seen=seen, items=["a", "b", "c", "d"])
