"""The list of largest summed indices, found and kept while solving for few of them.

A list is the best if it is so with lower bounds for the indices of its own cells and upper bounds
for all others (`cells.py`). Budgets grow slowly, so that upper bounds for a later round `until`
serve all rounds before it; of the others only those of the shown cells change. Each round gives
these their new bounds, and mends the list where it is no longer proved to be the best
(`kernels/exchange.py`): a cell that comes onto the list has its bound lowered to the present
budget, and one that leaves it keeps such a bound for the round, so that the list either improves or
has one cell less in doubt. Where two lists are closer than bounds can tell, the list is found by
solving for the cells of one best list after another, until it has its indices: with upper bounds
everywhere else, it is the best.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.assignment import NOBODY, Assignment, reassign
from unirank.kernels.compiling import compiled
from unirank.kernels.exchange import find_rivals, find_spares, first_loose, mend
from unirank.policies.shared.cell_bounds import CLOSE, NEAR, come_near, index_at, lower, upper

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("until", np.int64),  # from this round on the upper bounds do not hold
        ("budget", np.float64),  # of this round
        ("later", np.float64),  # of the last round before `until`
        ("prepared", np.bool_),  # the noise is there
        ("stale", np.bool_),  # cells have changed that are not on the list
        ("n_mends", np.int64),  # in this round
        ("n_left", np.int64),  # cells that left the list in this round
    ]
)


class State(NamedTuple):
    cells: Any  # (n_positions, n_items) records CELL
    weights: NDArray[np.float64]  # (n_positions, n_items) bounds of indices, with noise
    best: Assignment
    holders: Any  # (n_positions + 1,) records HOLDER
    items: NDArray[np.int64]  # (n_positions,) scratch: the list before it was mended
    left: NDArray[np.int64]  # (n_left, 2) scratch: cells that left the list, and when they may
    now: Any  # (1,) record NOW
    budget: float  # ln T, or BY_ROUNDS


@compiled
def bound_all(state: State) -> None:
    """Give every cell a bound that holds until the bounds are renewed."""
    best, now = state.best, state.now[0]
    for position in range(best.items.size):
        for item in range(best.positions.size):
            cell = state.cells[position, item]
            come_near(cell, now.later, NEAR)
            state.weights[position, item] = upper(cell, now.later) + cell.noise
    bound_shown(state)
    find_spares(state.holders, best, state.weights)
    find_rivals(state.holders, best, state.weights)
    now.stale = False


@compiled
def bound_shown(state: State) -> None:
    for position in range(state.best.items.size):
        bound_below(state, position, state.best.items[position])


@compiled
def bound_below(state: State, position: int, item: int) -> None:
    cell = state.cells[position, item]
    state.weights[position, item] = lower(cell, state.now[0].budget) + cell.noise


@compiled
def bound_above(state: State, position: int, item: int, budget: float) -> None:
    """Bound a cell that is not on the list; its item may be the best that is left for others."""
    cell, holder = state.cells[position, item], state.holders[position]
    weight = upper(cell, budget) + cell.noise
    state.weights[position, item] = weight
    if state.best.positions[item] == NOBODY and weight > state.weights[position, holder.spare]:
        holder.spare = item


@compiled
def keep_best(state: State) -> None:
    """Mend the list until it is proved to be the best, or find it by solving."""
    best, now = state.best, state.now[0]
    now.n_mends = now.n_left = 0
    loose = first_loose(state.holders, best, state.weights)
    if loose == NOBODY:
        return
    while loose != NOBODY:
        if max(now.n_left, now.n_mends) + best.items.size > state.left.shape[0]:
            find_best(state, now.budget)
            bound_all(state)
            return
        improve(state, loose)
        loose = first_loose(state.holders, best, state.weights)
    for place in range(now.n_left):
        position, item = state.left[place]
        if best.items[position] != item:
            bound_above(state, position, item, now.later)
    find_rivals(state.holders, best, state.weights)


@compiled
def improve(state: State, loose: int) -> None:
    best, now = state.best, state.now[0]
    for position in range(best.items.size):
        state.items[position] = best.items[position]
    mend(state.holders, best, state.weights, loose)
    now.n_mends += 1
    for position in range(best.items.size):
        item = state.items[position]
        if best.items[position] != item:
            come_near(state.cells[position, item], now.budget, CLOSE)
            come_near(state.cells[position, best.items[position]], now.budget, CLOSE)
            bound_below(state, position, best.items[position])
            bound_above(state, position, item, now.budget)
            state.left[now.n_left] = position, item
            now.n_left += 1
    find_rivals(state.holders, best, state.weights)


@compiled
def find_best(state: State, budget: float) -> None:
    """Find the best list at this budget, solving for the indices of few cells."""
    n_positions, n_items = state.weights.shape
    bound_weights(state, budget)
    if state.best.items[0] != NOBODY:  # most of the last best list stays: its bounds won't do
        solve_best(state, budget)
    for _ in range(n_positions * n_items + 1):  # each turn but the last solves for another cell
        reassign(state.best, state.weights)
        if solve_best(state, budget):
            return


@compiled
def solve_best(state: State, budget: float) -> bool:
    """Give the cells of the best list their indices; whether they had them."""
    solved = True
    for position in range(state.best.items.size):
        item = state.best.items[position]
        cell = state.cells[position, item]
        weight = index_at(cell, budget) + cell.noise
        if state.weights[position, item] != weight:
            state.weights[position, item] = weight
            solved = False
    return solved


@compiled
def bound_weights(state: State, budget: float) -> None:
    n_positions, n_items = state.weights.shape
    for position in range(n_positions):
        for item in range(n_items):
            cell = state.cells[position, item]
            state.weights[position, item] = upper(cell, budget) + cell.noise
