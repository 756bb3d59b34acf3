"""SAM's state: clusters of items that share a block of positions, and where to cut them."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled

MOST_ROUNDS = 2**60


class State(NamedTuple):
    order: NDArray[np.int64]  # (n_items,) members by cluster
    ends: NDArray[np.int64]  # (n_items,) first slot of a cluster -> its end
    turn: NDArray[np.int64]  # (n_items,) first slot -> the turn to play next
    answered: NDArray[np.bool_]  # (n_items,) slot -> whether the turn that it opens is answered
    clicked: NDArray[np.int64]  # (n_items,) clicks in full cycles
    rounds: NDArray[np.int64]  # (n_items,) k, equal for all members of a cluster
    pending: NDArray[np.int64]  # (n_items,) clicks in the open cycle
    sorted: NDArray[np.int64]  # (n_items,) scratch: a cluster's members by decreasing clicks
    log_horizon: float


def initial_state(n_items: int, horizon: int) -> State:
    """Return the state before the first round: one cluster of all items."""
    ends = np.zeros(n_items, np.int64)
    ends[0] = n_items
    return State(
        order=np.arange(n_items),
        ends=ends,
        turn=np.zeros(n_items, np.int64),
        answered=np.zeros(n_items, np.bool_),
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
    """Put checked statistics into an initial state."""
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
    if (clicked > rounds).any():
        raise ArgumentError("clicked must be at most one per round")
    for mine, given in (
        (state.order, order),
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
    sort_members(state, start, end)
    first = start
    for slot in range(start + 1, end):
        ahead = state.clicked[state.sorted[slot - 1]] - state.clicked[state.sorted[slot]]
        if ahead > least:
            state.ends[first] = slot
            first = slot
    if first == start:
        return  # nobody moves: unanswered rounds still show turns of this cluster
    state.ends[first] = end
    for slot in range(start, end):
        state.order[slot] = state.sorted[slot]
        state.turn[slot] = 0


@compiled
def sort_members(state: State, start: int, end: int) -> None:
    """Write the members to `sorted` by decreasing clicks; equal ones keep their order."""
    for slot in range(start, end):
        item = state.order[slot]
        place = slot
        while place > start and state.clicked[state.sorted[place - 1]] < state.clicked[item]:
            state.sorted[place] = state.sorted[place - 1]
            place -= 1
        state.sorted[place] = item
