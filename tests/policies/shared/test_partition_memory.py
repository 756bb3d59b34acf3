"""What was played comes back as it was, and nothing else is taken for it."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from unirank.policies.shared.partition_memory import (
    could_be_played,
    memory_room,
    pack_played,
    recall_played,
    repacked,
)

Partition = list[list[int]]


def ends_of(partition: Partition, n_positions: int) -> NDArray[np.int64]:
    """Where the subset of each position ends."""
    sizes = [len(subset) for subset in partition]
    return np.repeat(np.cumsum(sizes), sizes)[:n_positions]


def memory_of(partition: Partition, n_positions: int, n_items: int) -> bytes:
    shown = np.array([item for subset in partition for item in subset])
    scratch = np.full(memory_room(n_items, n_positions), 255, np.uint8)
    size = pack_played(shown, ends_of(partition, n_positions), n_items, scratch)
    return scratch[:size].tobytes()


def recalled(ranking: list[int], memory: bytes, n_items: int) -> Partition | None:
    shown, ends = np.full(n_items, -1), np.zeros(len(ranking), np.int64)
    packed = np.frombuffer(memory, np.uint8)
    if not recall_played(np.array(ranking), packed, n_items, shown, ends):
        return None
    cuts = [0, *sorted(set(ends.tolist()))]
    return [sorted(shown[a:b].tolist()) for a, b in pairwise(cuts)]


def random_partition(draw: Random, n_items: int, n_positions: int) -> Partition:
    """A random partition, cut after the subset that fills the page."""
    order = draw.sample(range(n_items), n_items)
    partition: Partition = []
    while sum(map(len, partition)) < n_positions:
        taken = sum(map(len, partition))
        partition.append(order[taken : taken + draw.randint(1, n_items - taken)])
    return partition


@pytest.mark.parametrize("n_items", [1, 2, 7, 8, 9, 40, 300, 70_000])
def test_what_was_played_is_recalled(n_items: int) -> None:
    draw = Random(n_items)
    for _ in range(10):
        n_positions = draw.randint(1, min(n_items, 20))
        partition = random_partition(draw, n_items, n_positions)
        ranking = [item for subset in partition for item in subset][:n_positions]
        memory = memory_of(partition, n_positions, n_items)
        assert recalled(ranking, memory, n_items) == [sorted(subset) for subset in partition]
        assert could_be_played(np.array([ranking]), memory, n_items)


def test_lists_of_one_partition_have_the_same_memory() -> None:
    one, two = [[3], [9, 1, 4, 7]], [[3], [7, 4, 9, 1]]
    assert memory_of(one, 3, 100) == memory_of(two, 3, 100)


def test_a_thousand_tied_items_take_a_bit_each() -> None:
    assert len(memory_of([list(range(1000))], 10, 1000)) == 1 + 2 + 125


def test_a_short_subset_of_many_items_is_a_list() -> None:
    assert len(memory_of([[5], [999, 3]], 2, 1000)) == 1 + 1 + 2 * 2


def test_each_ranking_must_respect_the_partition() -> None:
    memory = memory_of([[4], [2, 0, 5, 1]], 3, 6)
    assert could_be_played(np.array([[4, 2, 0], [4, 5, 1]]), memory, 6)
    assert not could_be_played(np.array([[4, 2, 0], [4, 5, 3]]), memory, 6)
    assert not could_be_played(np.array([[4, 2, 0], [5, 4, 1]]), memory, 6)


def test_a_memory_with_a_changed_bit_is_another_partition_or_none() -> None:
    ranking, memory = [4, 2, 0], memory_of([[4], [2, 0, 5, 1]], 3, 6)
    for place in range(8 * len(memory)):
        changed = bytearray(memory)
        changed[place // 8] ^= 1 << place % 8
        assert recalled(ranking, bytes(changed), 6) != [[4], [0, 1, 2, 5]]


def test_random_bytes_fit_into_the_state_or_are_refused() -> None:
    draw = Random(1)
    for _ in range(3000):
        memory = bytes([draw.randint(0, 4), draw.randint(0, 7)]) + draw.randbytes(
            draw.randint(0, 5)
        )
        found = recalled([4, 2, 0], memory, 20)
        assert found is None or sum(map(len, found)) <= 20


# The memory of version 1: position ends and unseen items, 8 bytes each.

RANKING = np.array([4, 2, 0])


def test_a_memory_of_version_1_is_written_anew() -> None:
    old = np.array([1, 5, 5, 5, 1]).tobytes()
    assert repacked(RANKING, old, 6) == memory_of([[4], [2, 0, 5, 1]], 3, 6)


@pytest.mark.parametrize(
    "numbers", [[], [1, 5], [1, 5, 5], [1, 5, 5, 5, 6], [1, 5, 5, 5, 2], [1, 5, 5, 3], [1, 2, 2]]
)
def test_what_no_partition_gives_is_not_written_anew(numbers: list[int]) -> None:
    assert repacked(RANKING, np.array(numbers, np.int64).tobytes(), 6) is None
