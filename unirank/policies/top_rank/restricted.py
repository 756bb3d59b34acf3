"""TopRank among some of its items: blocks of the proofs between these.

A state of many items is kept between rounds (base/kept_state.py). Then it learns what the policy
has proved of its pairs; where proofs were dropped, it is made again.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
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
    restricted.now[0].proved, restricted.now[0].dropped = state.now[0].proved, state.now[0].dropped


@compiled
def write_memory(
    state: State, restricted: State, numbers: NDArray[np.int64], memory: NDArray[np.uint8]
) -> int:
    """Write the memory of the round just ranked; return its length."""
    n_positions = restricted.shown_ends.size
    for slot in range(restricted.shown_ends[n_positions - 1]):
        restricted.shown[slot] = numbers[restricted.shown[slot]]
    restricted.now[0].stale = True  # `shown` now has the whole policy's item numbers
    return pack_played(restricted.shown, restricted.shown_ends, state.order.size, memory)


@compiled
def learn_too(
    state: State, restricted: State, local: NDArray[np.int64], clicks: NDArray[np.bool_]
) -> None:
    """Take over what `update` has just proved of pairs of these items."""
    if restricted.now[0].proved == state.now[0].proved:
        return
    restricted.now[0].proved = state.now[0].proved
    start = 0
    while start < clicks.size:
        end = state.shown_ends[start]
        for position in range(start, min(end, clicks.size)):
            better = local[state.shown[position]]
            if clicks[position] and better >= 0:
                for slot in range(start, end):
                    worse = local[state.shown[slot]]
                    proved = state.better[state.shown[position], state.shown[slot]]
                    if worse >= 0 and proved and not restricted.better[better, worse]:
                        restricted.better[better, worse] = proved
                        restricted.n_better[worse] += 1
        start = end
    arrange(restricted)
