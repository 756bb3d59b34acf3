"""UniRank's state, and the leader that its statistics speak for.

    leader   (P_1, ..., P_m, rest): repeatedly the smallest subset whose members are all ahead
             (W_ij > W_ji) of everyone remaining, until the subsets hold n_positions items

The leader is elicited again only when some pair changes sign, and its neighbours are looked at anew
only when the partition itself has changed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.counting import FREE, filled_table, find
from unirank.kernels.partition import elicit
from unirank.kernels.randomness import GOLDEN, mixed
from unirank.policies.uni_rank.neighbours import FRONT, SUMMARY

LEADER = -1  # what is played when no neighbour is

NOW = np.dtype(
    [
        ("key", np.uint64),  # fingerprint of the leader
        ("place", np.int64),  # of the leader in the table of leaders
        ("n_leaders", np.int64),
        ("taken", np.int64),  # items in the leader's displayed subsets; the rest is behind them
        ("strict", np.bool_),  # every shown position has a subset of its own
        ("stale", np.bool_),  # a pair changed sign: elicit the leader again
        ("decided", np.bool_),  # `n_tied` and `tied` are those of the coming round
        ("n_tied", np.int64),  # neighbours of largest index; 0: play the leader
        ("crossing", np.int64),  # below this count of the leader no neighbour is optimistic
        ("favourite", np.int64),  # the neighbour that won last, where the next search starts
        ("played", np.int64),  # the neighbour played last, or LEADER
    ]
)


class State(NamedTuple):
    wins: NDArray[np.int64]  # (n_items, n_items) W
    leader_keys: NDArray[np.uint64]  # (capacity,) fingerprints of the leaders met
    leader_counts: NDArray[np.int64]  # (capacity,) rounds each was the leader
    scores: NDArray[np.int64]  # (n_items,) doubled Copeland scores
    start_of: NDArray[np.int64]  # (2 n_items - 1,) doubled score -> first slot of its subset
    order: NDArray[np.int64]  # (n_items,) the leader: items by subset
    ends: NDArray[np.int64]  # (n_items + 1,) first slot of a subset -> its end
    summaries: Any  # (n_items, FRONT) records SUMMARY of the neighbours, by name
    tied: NDArray[np.int64]  # (n_items,) names of the neighbours of largest index
    shown: NDArray[np.int64]  # (n_items,) as played: the ranking, then the last subset's unseen
    shown_ends: NDArray[np.int64]  # (n_positions,) position -> end of its played subset
    now: Any  # (1,) record NOW
    loglog_weight: float
    explore_early: bool


def initial_state(
    n_items: int, n_positions: int, *, loglog_weight: float, explore_early: bool
) -> State:
    """No clicks yet: every pair undecided."""
    now = np.zeros(1, NOW)
    now["stale"] = True
    return State(
        np.zeros((n_items, n_items), np.int64),
        *filled_table(np.zeros(0, np.uint64), np.zeros(0, np.int64)),
        scores=np.full(n_items, n_items - 1, np.int64),
        start_of=np.zeros(2 * n_items - 1, np.int64),
        order=np.arange(n_items),
        ends=np.zeros(n_items + 1, np.int64),
        summaries=np.zeros((n_items, FRONT), SUMMARY),
        tied=np.zeros(n_items, np.int64),
        shown=np.zeros(n_items, np.int64),
        shown_ends=np.zeros(n_positions, np.int64),
        now=now,
        loglog_weight=loglog_weight,
        explore_early=explore_early,
    )


def with_statistics(
    state: State,
    wins: NDArray[np.int64],
    leader_keys: NDArray[np.uint64],
    leader_counts: NDArray[np.int64],
) -> State:
    """Give an initial state these statistics; all else follows from them."""
    if wins.shape != state.wins.shape or wins.min() < 0 or wins.diagonal().any():
        raise ArgumentError("wins must be a square table of counts")
    if leader_keys.shape != leader_counts.shape or leader_counts.min(initial=0) < 0:
        raise ArgumentError("leader_keys and leader_counts must be tables of the same length")
    if len(set(leader_keys.tolist()) - {int(FREE)}) < len(leader_keys):
        raise ArgumentError("leader_keys must be unique and not 0")
    state.wins[:] = wins
    state.scores[:] = 2 * (wins > wins.T).sum(axis=1) + (wins == wins.T).sum(axis=1) - 1
    state.now["n_leaders"] = len(leader_keys)
    keys, counts = filled_table(leader_keys, leader_counts)
    return state._replace(leader_keys=keys, leader_counts=counts)


@compiled
def settle(state: State, n_positions: int) -> None:
    """Make the leader that of the present statistics, if a pair changed sign."""
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
    forget_decisions(state)


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
def forget_decisions(state: State) -> None:
    for slot in range(state.order.size):
        state.summaries[slot, 0].comparisons = 0
    now = state.now[0]
    now.crossing = 0
    now.decided = False
    now.favourite = LEADER


def subsets(state: State) -> list[list[int]]:
    """The leader's subsets, the rest last, as lists of item indices."""
    parts: list[list[int]] = []
    start = 0
    while start < len(state.order):
        end = int(state.ends[start])
        parts.append(state.order[start:end].tolist())
        start = end
    return parts


def elicit_leader(differences: ArrayLike, n_positions: int) -> tuple[tuple[int, ...], ...]:
    """Leader partition that a matrix of summed click differences speaks for (Algorithm 2).

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
    settle(state, n_positions)
    return tuple(tuple(subset) for subset in subsets(state))
