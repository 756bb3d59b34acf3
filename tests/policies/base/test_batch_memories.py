"""Memories of a batch come back as they were packed."""

import numpy as np

from unirank.policies.base.batch_memories import BatchMemories


def test_each_round_has_its_memory() -> None:
    memories = BatchMemories(11, np.array([0, 1, 0, 2], np.int32))
    words = np.frombuffer(b"abc".ljust(8, b"\0") + b"nine char".ljust(16, b"\0"), np.uint64)
    memories.append(np.array([3, 9]), np.array([0, 1]), words)
    memories.append(np.array([0]), np.array([0]), words)
    assert memories.n_different == 3
    assert [memories.of(number) for number in range(11, 15)] == [b"abc", b"nine char", b"abc", b""]


def test_room_behind_the_memories_is_not_kept() -> None:
    memories = BatchMemories(1, np.zeros(1, np.int32))
    memories.append(np.array([3]), np.array([0]), np.zeros(1000, np.uint64))
    assert len(memories._packed) == 8
