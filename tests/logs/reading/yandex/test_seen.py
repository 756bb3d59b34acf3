"""A session that comes back is seen, whatever the names look like."""

import numpy as np
import pytest

from unirank.logs.reading.yandex.seen import ScatteredError, SeenSessions


def see(*blocks: list[int]) -> SeenSessions:
    seen = SeenSessions()
    for block in blocks:
        seen.add(np.array(block, np.uint64))
    seen.require_different()
    return seen


@pytest.mark.parametrize(
    "blocks",
    [
        [[0, 1, 2], [3, 10], [11]],
        [[5, 3, 9], [1, 2], [4]],
        [[1, 2], [], [3]],
        [[1, 2], [9, 5], [7, 3]],
        [[0], [2**64 - 1]],
    ],
)
def test_different_sessions(blocks: list[list[int]]) -> None:
    see(*blocks)


@pytest.mark.parametrize(
    "blocks",
    [
        [[0, 1, 0]],
        [[0, 1, 1]],
        [[0, 1], [1, 2]],
        [[0, 1], [2, 3], [0]],
        [[5, 3], [4], [3]],
        [[1, 2], [9, 5], [9]],
        [[2**64 - 1], [2**64 - 1]],
    ],
)
def test_sessions_that_come_back(blocks: list[list[int]]) -> None:
    with pytest.raises(ScatteredError):
        see(*blocks)


def test_a_late_session_counts_as_one_that_comes_back() -> None:
    with pytest.raises(ScatteredError):
        see([1, 5], [3])


def test_names_in_order_are_not_kept() -> None:
    seen = see(list(range(1000)), list(range(1000, 2000)))
    assert not seen._others
