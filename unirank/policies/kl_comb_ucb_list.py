"""The list of largest summed indices, found and kept while solving for few of them.

With upper bounds in place of indices, and the indices
themselves only for the cells of the best list so, that list is the best with indices everywhere.
It then stays the best while prices say so (`kernels/assignment.py`): budgets grow slowly, so that
bounds for a later round `until` serve all rounds before it, and in these only the shown cells
change. `fences[k]` is the least index that keeps the item of position k where it is; whether an
index is above takes no solving (`kernels/optimism.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.assignment import NOBODY, Assignment, find_rivals, reassign, spread
from unirank.kernels.compiling import compiled
from unirank.kernels.optimism import peak_of
from unirank.policies.cells import index_at, mean_of, upper

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("until", np.int64),  # from this round on the fences do not hold
        ("budget", np.float64),  # when they were put up
        ("prepared", np.bool_),  # the noise is there
        ("stale", np.bool_),  # an index may be below its fence
    ]
)

FENCE = np.dtype([("x", np.float64), ("log_x", np.float64), ("log_not_x", np.float64)])


class State(NamedTuple):
    cells: Any  # (n_positions, n_items) records CELL
    weights: NDArray[np.float64]  # (n_positions, n_items) scratch: indices or bounds, with noise
    best: Assignment
    fences: Any  # (n_positions,) records FENCE
    now: Any  # (1,) record NOW
    budget: float  # ln T, or BY_ROUNDS


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


@compiled
def put_up_fences(state: State, later: float) -> None:
    """Say how low the shown cells' indices may fall while the budget stays at most `later`."""
    best, weights = state.best, state.weights
    for position in range(best.items.size):
        for item in range(best.positions.size):
            if best.items[position] != item:
                cell = state.cells[position, item]
                weights[position, item] = upper(cell, later) + cell.noise
    if not spread(best, weights):
        find_rivals(best, weights)
    for position in range(best.items.size):
        item = best.items[position]
        fence = state.fences[position]
        noise = state.cells[position, item].noise
        fence.x = best.rivals[position] + best.prices[item] - noise
        inside = 0.0 < fence.x < 1.0
        fence.log_x = np.log(fence.x) if inside else np.nan
        fence.log_not_x = np.log1p(-fence.x) if inside else np.nan
    state.now[0].stale = False
    for position in range(best.items.size):
        look_over_fence(state, position)


@compiled
def look_over_fence(state: State, position: int) -> None:
    """Mark the list as stale if the index of the item at `position` may be below its fence."""
    cell = state.cells[position, state.best.items[position]]
    fence = state.fences[position]
    if cell.shown == 0:
        above = fence.x < 1.0
    else:
        peak = peak_of(np.float64(cell.clicked), cell.shown)
        reaches = peak - cell.clicked * fence.log_x - (cell.shown - cell.clicked) * fence.log_not_x
        error = 1e-9 + 1e-14 * cell.shown
        # Written so that an undefined number (x is not inside) counts as undecided.
        above = mean_of(cell) > fence.x or reaches + error < state.now[0].budget
    if not above:
        state.now[0].stale = True
