"""The leader: the ordered partition of the items that the statistics support.

(P_1, ..., P_m, rest): repeatedly the smallest subset whose members are all ahead (W_ij > W_ji)
of everyone remaining, until the subsets hold n_positions items
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import find
from unirank.policies.kernels.partition import elicit
from unirank.policies.kernels.randomness import GOLDEN, mixed
from unirank.policies.uni_rank.state import (
    EVERY_NEIGHBOUR,
    State,
    forget_decisions,
    initial_state,
    subsets,
    with_statistics,
)


@compiled
def refresh_leader(state: State, n_positions: int) -> None:
    """Elicit the leader again if a pair changed sign; drop the decisions if it is another one."""
    now = state.now[0]
    if not now.stale:
        return
    now.stale = False
    now.taken = elicit(state.scores, n_positions, state.start_of, state.order, state.ends)
    key = fingerprint(state)
    if key == now.key:
        return
    now.key = key
    now.place = find(state.leader_keys, key)
    if state.leader_keys[now.place] != key:
        state.leader_keys[now.place] = key
        now.n_leaders += 1
    now.strict = True
    for slot in range(n_positions):
        if state.ends[slot] != slot + 1:
            now.strict = False
    forget_decisions(state, EVERY_NEIGHBOUR)


@compiled
def fingerprint(state: State) -> np.uint64:
    """64-bit hash of the leader, the rest lumped: equal for equal ordered partitions."""
    key = np.uint64(0)
    for slot in range(state.now[0].taken):
        item = state.order[slot]
        start = state.start_of[state.scores[item]]
        key += mixed(np.uint64(start + 1) * GOLDEN + np.uint64(item + 1))
    return max(key, np.uint64(1))


@compiled
def fingerprint_of(state: State, numbers: NDArray[np.int64]) -> np.uint64:
    """Like `fingerprint`, of a state whose item n is item numbers[n] of the policy."""
    key = np.uint64(0)
    for slot in range(state.now[0].taken):
        item = state.order[slot]
        start = state.start_of[state.scores[item]]
        key += mixed(np.uint64(start + 1) * GOLDEN + np.uint64(numbers[item] + 1))
    return max(key, np.uint64(1))


def elicit_leader(differences: "ArrayLike", n_positions: int) -> tuple[tuple[int, ...], ...]:
    """Return the leader that a matrix of summed click differences supports (Algorithm 2).

    `differences[i, j]` > 0 says that item i is ahead of item j. The subsets that hold the first
    `n_positions` items come first; whatever is left is one last subset.

    >>> elicit_leader([[0, 2, 1], [-2, 0, 0], [-1, 0, 0]], 1)
    ((0,), (1, 2))
    """
    try:
        matrix = np.asarray(differences)
    except ValueError:
        raise ArgumentError("differences must be a square matrix, got uneven rows") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ArgumentError(f"differences must be a square matrix, got shape {matrix.shape}")
    if not np.issubdtype(matrix.dtype, np.integer):
        raise ArgumentError(f"differences must be integers, got {matrix.dtype}")
    wrong = np.argwhere(matrix != -matrix.T)
    if wrong.size:
        i, j = wrong[0]
        raise ArgumentError(
            f"differences must be antisymmetric, got [{i}, {j}] = {matrix[i, j]} and "
            f"[{j}, {i}] = {matrix[j, i]}"
        )
    n_positions = arguments.integer("n_positions", n_positions, 1, len(matrix), "n_items=")
    state = initial_state(len(matrix), n_positions, loglog_weight=0.0, explore_early=False)
    wins = np.maximum(matrix, 0).astype(np.int64)
    state = with_statistics(state, wins, np.zeros(0, np.uint64), np.zeros(0, np.int64))
    refresh_leader(state, n_positions)
    return tuple(tuple(subset) for subset in subsets(state))
