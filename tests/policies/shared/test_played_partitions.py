"""Policies that play a partition learn from any round by its memory alone."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import some_clicks
from unirank import Policy, TopRank, UniRank


@pytest.mark.parametrize(("cls", "options"), [(UniRank, {}), (TopRank, {"horizon": 100})])
@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (5, 5), (7, 3), (30, 9)])
def test_a_round_teaches_the_same_by_its_memory(
    cls: type[Policy], options: dict[str, Any], n_items: int, n_positions: int
) -> None:
    policy, other = (cls(n_items, n_positions, seed=1, **options) for _ in range(2))
    draw = Random(2)
    for _ in range(300):
        shown = policy.rank()
        clicks = some_clicks(shown.items, draw)
        policy.update(shown, clicks)
        other.learn(shown.items, shown.memory, clicks)
        np.testing.assert_array_equal(other.state.wins, policy.state.wins)


@pytest.mark.parametrize(("cls", "options"), [(UniRank, {}), (TopRank, {"horizon": 100})])
def test_lists_of_one_partition_share_their_memory(
    cls: type[Policy], options: dict[str, Any]
) -> None:
    policy = cls(200, 5, seed=1, **options)
    assert len({policy.rank().memory for _ in range(50)}) == 1
