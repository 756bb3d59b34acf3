"""The lists of the opening."""

import numpy as np
import pytest

from unirank.policies.shared.opening import show_circle


@pytest.mark.parametrize("n_positions", [1, 3, 4])
def test_each_item_is_once_at_each_position(n_positions: int) -> None:
    lists = np.full((4, n_positions), -1)
    for first in range(4):
        show_circle(first, 4, lists[first])
    assert lists[0].tolist() == [0, 1, 2, 3][:n_positions]
    assert lists[3].tolist() == [3, 0, 1, 2][:n_positions]
    for position in range(n_positions):
        assert sorted(lists[:, position].tolist()) == [0, 1, 2, 3]
