"""The clusters of SAM on rankings: who shares a block of positions, and where to cut it."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled

MOST_ROUNDS = 2**60


class State(NamedTuple):
    order: NDArray[np.int64]  # (n_items,) members by cluster
    slot_of: NDArray[np.int64]  # (n_items,) item -> its place in `order`
    ends: NDArray[np.int64]  # (n_items,) first slot of a cluster -> its end
    turn: NDArray[np.int64]  # (n_items,) first slot -> the turn to play next
    answered: NDArray[np.bool_]  # (n_items,) slot -> whether the turn that it opens is answered
    n_answered: NDArray[np.int64]  # (n_items,) first slot -> how many turns of its cycle are
    clicked: NDArray[np.int64]  # (n_items,) clicks in full cycles
    rounds: NDArray[np.int64]  # (n_items,) k, equal for all members of a cluster
    pending: NDArray[np.int64]  # (n_items,) clicks in the open cycle
    sorted: NDArray[np.int64]  # (n_items,) scratch: a cluster's members by decreasing clicks
    log_horizon: float


def initial_state(n_items: int, horizon: int) -> State:
    """One cluster, nothing known."""
    ends = np.zeros(n_items, np.int64)
    ends[0] = n_items
    return State(
        order=np.arange(n_items),
        slot_of=np.arange(n_items),
        ends=ends,
        turn=np.zeros(n_items, np.int64),
        answered=np.zeros(n_items, np.bool_),
        n_answered=np.zeros(n_items, np.int64),
        clicked=np.zeros(n_items, np.int64),
        rounds=np.zeros(n_items, np.int64),
        pending=np.zeros(n_items, np.int64),
        sorted=np.zeros(n_items, np.int64),
        log_horizon=float(np.log(horizon)),
    )


def with_statistics(
    state: State,
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    turns: NDArray[np.int64],
    clicked: NDArray[np.int64],
    rounds: NDArray[np.int64],
    pending: NDArray[np.int64],
    answered: NDArray[np.bool_],
) -> State:
    """Give an initial state these statistics; all else follows from them."""
    n_items = state.order.size
    if order.shape != (n_items,) or sorted(order.tolist()) != list(range(n_items)):
        raise ArgumentError(f"order must hold each of {n_items} items once")
    cuts = [*starts.ravel().tolist(), n_items]
    if starts.ndim != 1 or cuts[0] != 0 or sorted(set(cuts)) != cuts:
        raise ArgumentError("starts must be where clusters start, ascending from 0")
    sizes = np.diff(cuts)
    if turns.shape != starts.shape or ((turns < 0) | (turns >= sizes)).any():
        raise ArgumentError("turns must be one turn per cluster, below its size")
    for name, counts in (("clicked", clicked), ("rounds", rounds), ("pending", pending)):
        if counts.shape != (n_items,) or not 0 <= counts.min() <= counts.max() <= MOST_ROUNDS:
            raise ArgumentError(f"{name} must be {n_items} counts")
    if answered.shape != (n_items,):
        raise ArgumentError(f"answered must be {n_items} truth values")
    for (start, end), turn in zip(pairwise(cuts), turns.tolist(), strict=True):
        members, n_answered = order[start:end], int(answered[start:end].sum())
        if len(set(rounds[members].tolist())) > 1:
            raise ArgumentError("rounds must be equal within a cluster")
        if n_answered == end - start or (pending[members] > n_answered).any():
            raise ArgumentError("pending must be clicks of the answered turns of an open cycle")
        state.ends[start], state.turn[start] = end, turn
        state.n_answered[start] = n_answered
    if (clicked > rounds).any():
        raise ArgumentError("clicked must be at most one per round")
    state.order[:] = order
    state.slot_of[order] = np.arange(n_items)
    for mine, given in (
        (state.clicked, clicked),
        (state.rounds, rounds),
        (state.pending, pending),
        (state.answered, answered),
    ):
        mine[:] = given
    return state


@compiled
def cut(state: State, start: int, end: int) -> None:
    """Cut a cluster that has just counted a cycle wherever two neighbours by rate differ."""
    n_rounds = state.rounds[state.order[start]]
    least = 2.0 * np.sqrt(state.log_horizon * n_rounds)  # two widths, in clicks
    if not is_spread(state, start, end, least):
        return
    sort_members(state, start, end)
    first = start
    for slot in range(start + 1, end):
        ahead = state.clicked[state.sorted[slot - 1]] - state.clicked[state.sorted[slot]]
        if ahead > least:
            state.ends[first] = slot
            first = slot
    if first == start:
        return  # nobody moves: answers under way still show turns of this cluster
    state.ends[first] = end
    for slot in range(start, end):
        state.order[slot] = state.sorted[slot]
        state.slot_of[state.order[slot]] = slot
        state.turn[slot] = 0


@compiled
def sort_members(state: State, start: int, end: int) -> None:
    """Write them to `sorted` by decreasing clicks, equal ones in the order they have."""
    for slot in range(start, end):
        item = state.order[slot]
        place = slot
        while place > start and state.clicked[state.sorted[place - 1]] < state.clicked[item]:
            state.sorted[place] = state.sorted[place - 1]
            place -= 1
        state.sorted[place] = item


@compiled
def is_spread(state: State, start: int, end: int, least: float) -> bool:
    """Whether the members' clicks reach far enough for any cut: seldom so."""
    low = high = state.clicked[state.order[start]]
    for slot in range(start + 1, end):
        low = min(low, state.clicked[state.order[slot]])
        high = max(high, state.clicked[state.order[slot]])
    return high - low > least
