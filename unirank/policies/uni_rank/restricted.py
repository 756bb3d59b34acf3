"""UniRank among some of its items: the leader of the sub-tournament, and its neighbours.

A state of its own holds the pairs of these items. The rounds of its leader are counted in the
table of the whole policy, under the fingerprint that the same displayed partition has there: a
leader is the same leader whichever items of the rest are available.

A state of many items is kept between rounds (base/kept_state.py). Then it learns what the policy
learns of its pairs, and keeps its leader and its decisions as the policy itself does.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import FREE, find
from unirank.policies.shared.partition_memory import pack_played
from unirank.policies.uni_rank.leader import fingerprint_of, refresh_leader
from unirank.policies.uni_rank.state import (
    EVERY_NEIGHBOUR,
    State,
    forget_decisions,
    initial_state,
    observe,
)


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
    """Copy the pairs, and elicit the leader."""
    for i in range(numbers.size):
        score = numbers.size - 1
        for j in range(numbers.size):
            won = state.wins[numbers[i], numbers[j]]
            lost = state.wins[numbers[j], numbers[i]]
            restricted.wins[i, j] = won
            score += (won > lost) - (won < lost)
        restricted.scores[i] = score
    catch_up(state, restricted, numbers, n_positions)


@compiled
def catch_up(state: State, restricted: State, numbers: NDArray[np.int64], n_positions: int) -> None:
    """Elicit the leader if a pair changed sign; take over how many rounds it has led."""
    now = restricted.now[0]
    now.scale = state.now[0].scale
    now.rescaled = state.now[0].rescaled
    if now.stale:  # its table holds one leader: empty it for the next
        restricted.leader_keys[:] = FREE
        now.n_leaders = 0
    refresh_leader(restricted, n_positions)
    place = find(state.leader_keys, fingerprint_of(restricted, numbers))
    restricted.leader_counts[restricted.now[0].place] = state.leader_counts[place]


@compiled
def count_for_leader(state: State, restricted: State, numbers: NDArray[np.int64]) -> None:
    """Count a round for the leader of these items, in the table of the whole policy."""
    key = fingerprint_of(restricted, numbers)
    place = find(state.leader_keys, key)
    if state.leader_keys[place] != key:
        state.leader_keys[place] = key
        state.now[0].n_leaders += 1
    state.leader_counts[place] += state.now[0].scale


@compiled
def count_round(
    state: State, restricted: State, numbers: NDArray[np.int64], memory: NDArray[np.uint8]
) -> int:
    """Count the round just ranked; write its memory, and return the length."""
    count_for_leader(state, restricted, numbers)
    n_positions = restricted.shown_ends.size
    for slot in range(restricted.shown_ends[n_positions - 1]):
        restricted.shown[slot] = numbers[restricted.shown[slot]]
    return pack_played(restricted.shown, restricted.shown_ends, state.order.size, memory)


@compiled
def learn_too(
    state: State, restricted: State, local: NDArray[np.int64], clicks: NDArray[np.bool_]
) -> None:
    """Learn what `update` has just learnt of pairs of these items."""
    restricted.now[0].scale = state.now[0].scale
    learnt = False
    start = 0
    while start < clicks.size:
        end = state.shown_ends[start]
        for position in range(start, min(end, clicks.size)):
            winner = local[state.shown[position]]
            if clicks[position] and winner >= 0:
                for slot in range(start, end):
                    other = local[state.shown[slot]]
                    if other >= 0 and (slot >= clicks.size or not clicks[slot]):
                        observe(restricted, winner, other)
                        learnt = True
        start = end
    if learnt:
        forget_decisions(restricted, EVERY_NEIGHBOUR)
