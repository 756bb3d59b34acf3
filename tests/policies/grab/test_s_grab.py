"""S-GRAB: its neighbours, its period."""

from typing import Any

import numpy as np
import pytest

from tests.policies.grab.test_policy import lost
from tests.policies.leaders import neighbours_of, with_counts
from unirank import PBM
from unirank.policies import SGRAB


@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (5, 1), (6, 4), (5, 5)])
def test_neighbours_are_all_swaps_and_replacements(n_items: int, n_positions: int) -> None:
    draws = np.random.default_rng(n_items)
    clicked = draws.integers(0, 100, (n_positions, n_items)).tolist()
    policy = with_counts(SGRAB, clicked, [[100] * n_items] * n_positions)
    lists = neighbours_of(policy)
    n_neighbours = n_positions * (2 * n_items - n_positions - 1) // 2
    assert len(lists) == len(policy.state.first) == n_neighbours
    leader = policy.leader
    for one in lists:
        changed = [k for k in range(n_positions) if one[k] != leader[k]]
        assert len(changed) == 1 or [one[k] for k in changed] == [leader[k] for k in changed][::-1]
        assert len(changed) in (1, 2)


@pytest.mark.parametrize(("options", "period"), [({}, 4), ({"period": 2}, 2)])
def test_the_leader_is_played_once_a_period(options: dict[str, Any], period: int) -> None:
    # Three neighbours: the swap, and item 2 at either position, of which one was never tried.
    policy = with_counts(SGRAB, [[5, 0, 0], [0, 9, 0]], [[9, 9, 0], [9, 9, 9]], **options)
    shown = [policy.rank().items for _ in range(9)]
    assert shown == [(0, 1) if t % period == 0 else (2, 1) for t in range(9)]


def test_it_learns_though_positions_are_out_of_order() -> None:
    users = PBM([0.9, 0.7, 0.5, 0.1, 0.1, 0.1], [0.3, 1.0, 0.6])
    assert lost("s-grab", users, 50_000) < 0.05 * lost("random", users, 50_000)
