"""TopRank among some of its items: blocks of the proofs between these."""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.policies.shared.partition_memory import pack_played
from unirank.policies.top_rank.state import State, arrange, initial_state


def restricted_state(state: State, numbers: NDArray[np.int64]) -> State:
    """The state as if there were only these items; it never starts afresh by itself."""
    restricted = initial_state(
        len(numbers),
        len(state.ends),
        horizon=int(state.now["horizon"][0]),
        constant=state.constant,
        doubling=False,
        growth=state.growth,
    )
    gather(state, restricted, numbers)
    return restricted


@compiled
def gather(state: State, restricted: State, numbers: NDArray[np.int64]) -> None:
    """Copy the proofs, and split into blocks."""
    for j in range(numbers.size):
        for i in range(numbers.size):
            better = state.better[numbers[i], numbers[j]]
            restricted.better[i, j] = better
            restricted.n_better[j] += better > 0
    restricted.now[0].scale = state.now[0].scale
    arrange(restricted)


@compiled
def write_memory(
    state: State, restricted: State, numbers: NDArray[np.int64], memory: NDArray[np.uint8]
) -> int:
    """Write the memory of the round just ranked; return its length."""
    n_positions = restricted.shown_ends.size
    for slot in range(restricted.shown_ends[n_positions - 1]):
        restricted.shown[slot] = numbers[restricted.shown[slot]]
    return pack_played(restricted.shown, restricted.shown_ends, state.order.size, memory)
