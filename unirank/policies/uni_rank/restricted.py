"""UniRank among some of its items: the leader of the sub-tournament, and its neighbours.

A state of its own holds the pairs of these items. The rounds of its leader are counted in the
table of the whole policy, under the fingerprint that the same displayed partition has there: a
leader is the same leader whichever items of the rest are available.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.counting import find
from unirank.policies.shared.partition_memory import pack_played
from unirank.policies.uni_rank.leader import fingerprint_of, refresh_leader
from unirank.policies.uni_rank.state import State, initial_state


def restricted_state(state: State, numbers: NDArray[np.int64], n_positions: int) -> State:
    """The state as if there were only these items."""
    restricted = initial_state(
        len(numbers),
        n_positions,
        loglog_weight=state.loglog_weight,
        explore_early=state.explore_early,
        growth=state.growth,
        n_leaders=1,
    )
    gather(state, restricted, numbers, n_positions)
    return restricted


@compiled
def gather(state: State, restricted: State, numbers: NDArray[np.int64], n_positions: int) -> None:
    """Copy the pairs, elicit the leader, and take over how many rounds it has led."""
    for i in range(numbers.size):
        score = numbers.size - 1
        for j in range(numbers.size):
            won = state.wins[numbers[i], numbers[j]]
            lost = state.wins[numbers[j], numbers[i]]
            restricted.wins[i, j] = won
            score += (won > lost) - (won < lost)
        restricted.scores[i] = score
    restricted.now[0].scale = state.now[0].scale
    refresh_leader(restricted, n_positions)
    place = find(state.leader_keys, fingerprint_of(restricted, numbers))
    restricted.leader_counts[restricted.now[0].place] = state.leader_counts[place]


@compiled
def count_round(
    state: State, restricted: State, numbers: NDArray[np.int64], memory: NDArray[np.uint8]
) -> int:
    """Count the round for its leader; write its memory, and return the length."""
    key = fingerprint_of(restricted, numbers)
    place = find(state.leader_keys, key)
    if state.leader_keys[place] != key:
        state.leader_keys[place] = key
        state.now[0].n_leaders += 1
    state.leader_counts[place] += state.now[0].scale
    n_positions = restricted.shown_ends.size
    for slot in range(restricted.shown_ends[n_positions - 1]):
        restricted.shown[slot] = numbers[restricted.shown[slot]]
    return pack_played(restricted.shown, restricted.shown_ends, state.order.size, memory)
