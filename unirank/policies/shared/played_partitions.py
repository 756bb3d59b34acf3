"""Base of policies that play an ordered partition: they learn from pairs inside its subsets."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.shared.partition_memory import (
    could_be_played,
    memory_room,
    pack_played,
    recall_played,
    repacked,
)


@compiled
def remember(state: Any, memory: NDArray[np.uint8]) -> int:
    return pack_played(state.shown, state.shown_ends, state.shown.size, memory)


class PlayedPartitions(Policy):
    """A policy whose state has `shown` and `shown_ends`: the partition of its last round."""

    def memory_room(self) -> int:
        return memory_room(self.n_items, self.n_positions)

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        packed = np.frombuffer(memory, np.uint8)
        recall_played(ranking, packed, self.n_items, self.state.shown, self.state.shown_ends)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        return could_be_played(ranking[np.newaxis], memory, self.n_items)

    def check_memories(self, rankings: NDArray[np.int64], memory: bytes) -> bool:
        return could_be_played(rankings, memory, self.n_items)

    def upgrade_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bytes | None:
        return repacked(ranking, memory, self.n_items)
