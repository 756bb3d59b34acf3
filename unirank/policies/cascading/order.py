"""Rank items by their KL-UCB indices, solving for an index only where bounds do not decide.

    index_i = kl_ucb(clicked_i / examined_i, examined_i, b(t)),   b(t) = max(ln t + 3 ln ln t, 0)

Bounds of the indices (`shared/cell_bounds.py`) take a few multiplications, an index takes a dozen
logarithms. If the bounds put the shown items in order, and above all others, that is the ranking.
Items with equal counts tie: they get one bound, and a random order (`rank_tied`). Otherwise `solve`
computes the indices of the items that may be shown. Bounds closer than rounding errors count as
undecided, so the ranking is always that of the indices. Most rounds need none of this: a
certificate (`certificate.py`) proves that the ranking has not changed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.cascading.certificate import ROUNDING, certify, still_sorted
from unirank.policies.cascading.state import State, opens
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.kernels.randomness import Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.shared.cell_bounds import come_near, lower, mean_of, upper

SHARE = 1e-2  # a point within this share of the budget bounds an index well enough
SKIPPED = -1.0  # index of an item that cannot be shown, not solved for


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    now = state.now[0]
    now.drawn = False
    if not (now.rounds <= now.certain_until and still_sorted(state)):
        now.certain_until = 0
        budget = budget_after(now.rounds - 1, 3.0)
        now.drawn = not sort_by_bounds(state, ranking.size, budget)
        if now.drawn:
            if not rank_tied(state, rng, ranking, budget):
                solve(state, ranking.size, budget)
                top_k(state.indices, rng, ranking)
            return
        certify(state, budget)
    for position in range(ranking.size):
        ranking[position] = state.order[position]


@compiled
def sort_by_bounds(state: State, n_positions: int, budget: float) -> bool:
    """Sort the first items of `order` by upper bounds; whether lower bounds confirm the order.

    `order` was nearly sorted by the round before. Behind the shown items comes the best of the
    others, then the rest in any order.
    """
    order, indices = state.order, state.indices
    last = min(n_positions, order.size - 1)
    for slot in range(order.size):
        cell = state.cells[order[slot]]
        if slot > last and upper(cell, budget) < indices[order[last]]:
            continue
        come_near(cell, budget, SHARE)
        indices[order[slot]] = upper(cell, budget)
        insert(state, slot, last)
    for slot in range(last):
        cell = state.cells[order[slot]]
        behind = indices[order[slot + 1]] + ROUNDING
        if 0.0 <= cell.budget <= budget and cell.index > behind:
            continue  # the index grows with the budget: no need to compute its lower bound
        if not lower(cell, budget) > behind:
            return False
    return True


@compiled
def insert(state: State, slot: int, last: int) -> None:
    """Move the item in `slot` up among the first ones, which are sorted; the last makes room."""
    order, item = state.order, state.order[slot]
    if slot > last:
        if not state.indices[item] > state.indices[order[last]]:
            return
        order[slot] = order[last]
        slot = last
    while slot > 0 and state.indices[item] > state.indices[order[slot - 1]]:
        order[slot] = order[slot - 1]
        slot -= 1
    order[slot] = item


@compiled
def ties(one: Any, other: Any) -> bool:
    """Whether two items have equal counts, hence equal indices."""
    return one.shown == other.shown and one.clicked == other.clicked


@compiled
def bound_tied(state: State, budget: float) -> bool:
    """Put upper bounds into `indices`, equal ones where items tie; whether any do."""
    cells, found = state.cells, False
    for item in range(cells.size):
        for twin in range(item):
            if ties(cells[twin], cells[item]):
                cells[item] = cells[twin]  # the same point, too
                found = True
                break
        come_near(cells[item], budget, SHARE)
        state.indices[item] = upper(cells[item], budget)
    return found


@compiled
def rank_tied(state: State, rng: Rng, ranking: NDArray[np.int64], budget: float) -> bool:
    """Rank items of which some tie by upper bounds; whether lower bounds confirm the ranking."""
    if not bound_tied(state, budget):
        return False
    cells, indices, last = state.cells, state.indices, ranking.size - 1
    top_k(indices, rng, ranking)
    n_better = 0  # than the last item shown
    for position in range(last):
        above, below = cells[ranking[position]], cells[ranking[position + 1]]
        behind = indices[ranking[position + 1]] + ROUNDING
        if not (ties(above, below) or lower(above, budget) > behind):
            return False
        n_better += not ties(above, cells[ranking[last]])
    least = lower(cells[ranking[last]], budget) - ROUNDING
    for item in range(cells.size):
        n_better -= indices[item] >= least and not ties(cells[item], cells[ranking[last]])
    return n_better == 0  # no others may be better


@compiled
def solve(state: State, n_positions: int, budget: float) -> None:
    """Compute the indices of the items that may be among the n_positions largest."""
    least = 1.0
    for slot in range(n_positions):
        least = min(least, lower(state.cells[state.order[slot]], budget))
    for item in range(state.order.size):
        cell = state.cells[item]
        state.indices[item] = SKIPPED
        if upper(cell, budget) >= least - ROUNDING:
            state.indices[item] = kl_ucb(mean_of(cell), np.float64(cell.shown), budget)
