"""The order of many KL-UCB indices, kept up to date while solving for few of them.

    u_i(t) = kl_ucb(clicked_i / examined_i, examined_i, b(t)),   b(t) = ln t + 3 ln ln t, at least 0

Between each position and all behind it stands a fence, a number x that separates their indices.
Whether u_i > x takes no solving: for a mean below x it is so exactly when

    examined_i kl(clicked_i / examined_i, x) < b(t),

which costs two products once `peak` is known (see `kernels/optimism.py`). The budget only grows,
and with it every index, until its owner is looked at. So as long as each item that was looked at is
still between its fences, and the budget has not carried any other over its upper one, the order is
the one before. Otherwise bounds of the indices (`cells.py`) put the items in order, and new fences
are put up. Only where bounds overlap are the shown items solved for, and the others where they may
be among the largest or the best of the rest. A comparison closer than rounding errors counts as
undecided, and is solved for: the order is that of solving for everything.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.indices import kl_ucb
from unirank.kernels.optimism import peak_of
from unirank.kernels.randomness import Rng
from unirank.kernels.selection import top_k
from unirank.policies.cascading.state import State, opens
from unirank.policies.shared.cell_bounds import NEAR, come_near, count, lower, upper

ROUNDING = 1e-12  # bounds closer than this count as overlapping
SKIPPED = -1.0  # index of an item that is not among the largest, not solved for


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    now = state.now[0]
    now.budget = budget_after(now.rounds - 1, state.exploration)
    now.drawn = now.stale = now.stale or not now.budget < now.nearest
    if now.stale and sort_by_bounds(state, ranking.size):
        now.drawn = False
        put_up_fences(state, ranking.size)
    if now.drawn:
        solve(state, ranking.size)
        top_k(state.indices, rng, ranking)
        arrange(state, ranking)
        put_up_fences(state, ranking.size)
        return
    for position in range(ranking.size):
        ranking[position] = state.order[position]


@compiled
def learn(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_], n_read: int) -> None:
    """Count the positions that were read, and see whether their items leave their places."""
    for position in range(n_read):
        item = ranking[position]
        state.examined[item] += 1
        state.clicked[item] += clicks[position]
        count(state.cells[item], clicks[position])
        state.peak[item] = peak_of(np.float64(state.clicked[item]), state.examined[item])
        if not state.now[0].stale:
            look_over_fences(state, item, ranking.size)


@compiled
def evidence(state: State, item: int, log_x: float, log_not_x: float) -> tuple[float, float]:
    """The budget at which the index of an item with mean < x is x, and a bound on its error."""
    clicked, examined = state.clicked[item], state.examined[item]
    budget = state.peak[item] - clicked * log_x - (examined - clicked) * log_not_x
    return budget, 1e-9 + 1e-14 * examined


@compiled
def look_over_fences(state: State, item: int, n_positions: int) -> None:
    """Mark the order as stale if an item may be beyond a fence, else note when it will be."""
    now = state.now[0]
    place = state.place[item]
    if state.examined[item] == 0:
        now.stale = True
        return
    mean = state.clicked[item] / state.examined[item]
    if place > 0:
        fence = state.fences[place - 1]
        reaches, error = evidence(state, item, fence.log_x, fence.log_not_x)
        if mean < fence.x:
            now.nearest = min(now.nearest, reaches - error)
        else:
            now.stale = True
    if place < n_positions and place < state.order.size - 1:
        fence = state.fences[place]
        reaches, error = evidence(state, item, fence.log_x, fence.log_not_x)
        # Written so that an undefined number (both are 0) counts as undecided.
        if not (mean > fence.x or reaches + error < now.budget):
            now.stale = True


@compiled
def sort_by_bounds(state: State, n_positions: int) -> bool:
    """Put `order` right by bounds of the indices; False if some overlap that should not."""
    budget, order = state.now[0].budget, state.order
    last = min(n_positions, order.size - 1)  # the best of those not shown, if there are any
    for slot in range(order.size):
        item = order[slot]
        cell = state.cells[item]
        if slot > last and upper(cell, budget) < state.indices[order[last]]:
            continue
        come_near(cell, budget, NEAR)
        state.indices[item] = upper(cell, budget)
        insert(state, slot, last)
    for slot in range(order.size):
        state.place[order[slot]] = min(slot, n_positions)
    for slot in range(last):
        behind = state.indices[order[slot + 1]]
        if not lower(state.cells[order[slot]], budget) > behind + ROUNDING:
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
def solve(state: State, n_positions: int) -> None:
    """Fill `indices` for the shown items and for those others that could matter."""
    bar = 1.0
    best = SKIPPED
    log_bar = log_not_bar = 0.0
    budget = state.now[0].budget
    for slot in range(state.order.size):
        item = state.order[slot]
        examined = state.examined[item]
        if slot > n_positions and examined > 0 and state.clicked[item] / examined < bar:
            reaches, error = evidence(state, item, log_bar, log_not_bar)
            if budget < reaches - error:
                state.indices[item] = SKIPPED
                continue
        mean = state.clicked[item] / examined if examined > 0 else 0.0
        index = kl_ucb(mean, np.float64(examined), budget)
        state.indices[item] = index
        # Shown items: the bar is the least of them. Then it is the best of the others, but no more
        # than that least: an item below either is not shown, nor the best of those not shown.
        if slot < n_positions:
            bar = min(bar, index)
            continue
        if slot == n_positions:
            least = bar
        if index > best:
            best = index
            bar = min(least, best)
            log_bar, log_not_bar = np.log(bar), np.log1p(-bar)


@compiled
def arrange(state: State, ranking: NDArray[np.int64]) -> None:
    """Put the ranking into `order`, and behind it the others, the best one first."""
    n_positions = ranking.size
    n_items = state.order.size
    for item in range(n_items):
        state.place[item] = n_positions
    for position in range(n_positions):
        state.place[ranking[position]] = position
        state.order[position] = ranking[position]
    slot = n_positions
    for item in range(n_items):
        if state.place[item] == n_positions:
            state.order[slot] = item
            if state.indices[item] > state.indices[state.order[n_positions]]:
                state.order[slot] = state.order[n_positions]
                state.order[n_positions] = item
            slot += 1


@compiled
def put_up_fences(state: State, n_positions: int) -> None:
    """Separate neighbours in the order half-way; where two tie, nothing does, and all is stale."""
    now = state.now[0]
    n_items = state.order.size
    for position in range(min(n_positions, n_items - 1)):
        upper = state.indices[state.order[position]]
        lower = state.indices[state.order[position + 1]]
        fence = state.fences[position]
        fence.x = 0.5 * (upper + lower)
        fence.log_x, fence.log_not_x = np.log(fence.x), np.log1p(-fence.x)
    now.stale = False
    now.nearest = np.inf
    for item in range(n_items):
        look_over_fences(state, item, n_positions)
