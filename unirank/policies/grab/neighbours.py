"""Which neighbour of the leader to play, for GRAB and S-GRAB: solving for few of its indices.

A neighbour swaps the items of two positions of the leader, or shows another item at one of them.
Its index is the sum over positions of u[k, item_k], and so is the leader's (`cells.py`); where they
agree, nothing has to be known:

    gap of a swap of k, l       u[k, i_l] + u[l, i_k] - u[k, i_k] - u[l, i_l]
    gap of item j at k          u[k, j] - u[k, i_k]

The largest gap wins if it is above 0, else the leader does. Gaps closer than TIE count as equal:
the leader wins a tie, and neighbours that tie are drawn uniformly. Neighbours are solved for only
if bounds of their indices, close ones in the end, do not tell which of them wins.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.assignment import NOBODY
from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.randomness import Rng, below
from unirank.policies.grab.state import LEADER_BUDGET, NONE, State
from unirank.policies.shared.cell_bounds import CLOSE, NEAR, come_near, index_at, lower, upper

TIE = 1e-10  # an index is solved for to 1e-12
TIE_DRAW = 0  # the only draw of a round


@compiled
def choose(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Fill `ranking` with the neighbour to play, or the leader, and count the round."""
    now = state.now[0]
    n_rounds = state.leader_counts[now.place]
    now.n_tied = 0
    if n_rounds % state.period != 0:
        budget = state.budget
        if budget == LEADER_BUDGET:
            budget = budget_after(n_rounds, 3.0)
        compare(state, budget)
    for position in range(ranking.size):
        ranking[position] = state.leader.items[position]
    if now.n_tied > 0:
        choice = below(rng, TIE_DRAW, now.n_tied) if now.n_tied > 1 else 0
        now.favourite = state.tied[choice]
        show(state, now.favourite, ranking)
    state.leader_counts[now.place] += 1


@compiled
def compare(state: State, budget: float) -> None:
    """Find the neighbours of largest gap, if that is above 0."""
    if not (is_clear(state, budget, NEAR) or is_clear(state, budget, CLOSE)):
        solve_gaps(state, budget)


@compiled
def is_clear(state: State, budget: float, near: float) -> bool:
    """Whether bounds tell the winner, from points within `near` of the budget where it matters."""
    now = state.now[0]
    best = bound_gaps(state, budget, near)
    n_left = 0
    for name in range(state.first.size):
        if state.gaps[name] >= best - 2.0 * TIE:
            state.tied[n_left] = name
            n_left += 1
    if n_left == 0:
        return True  # the leader
    if n_left == 1 and best > 2.0 * TIE:
        now.n_tied = 1
        return True
    now.n_left = n_left
    return False


@compiled
def bound_gaps(state: State, budget: float, near: float) -> float:
    """Bound every gap from above; return what the largest one, or 0, is at least."""
    favourite = state.now[0].favourite
    bound_leader(state, budget)
    best = 0.0
    if favourite != NONE:  # a good first guess leaves few to look at more closely
        best = max(best, lowest_gap(state, favourite, budget, near))
    for name in range(state.first.size):
        state.gaps[name] = highest_gap(state, name, budget)
        if state.gaps[name] >= best - 2.0 * TIE:
            best = max(best, lowest_gap(state, name, budget, near))
            state.gaps[name] = highest_gap(state, name, budget)
    return best


@compiled
def bound_leader(state: State, budget: float) -> None:
    for position in range(state.own.size):
        state.own[position] = lower(state.cells[position, state.leader.items[position]], budget)


@compiled
def solve_gaps(state: State, budget: float) -> None:
    """Solve for the gaps of those in `tied`, and leave in it those that do."""
    now = state.now[0]
    best = 0.0
    for place in range(now.n_left):
        name = state.tied[place]
        state.gaps[name] = gap(state, name, budget)
        best = max(best, state.gaps[name])
    if best <= TIE:
        return
    for place in range(now.n_left):
        name = state.tied[place]
        if state.gaps[name] >= best - TIE:
            state.tied[now.n_tied] = name
            now.n_tied += 1


@compiled
def gap(state: State, name: int, budget: float) -> float:
    k, other = state.first[name], state.other[name]
    items, cells = state.leader.items, state.cells
    own = index_at(cells[k, items[k]], budget)
    if name >= state.n_swaps:
        return index_at(cells[k, other], budget) - own
    gained = index_at(cells[k, items[other]], budget) + index_at(cells[other, items[k]], budget)
    return gained - (own + index_at(cells[other, items[other]], budget))


@compiled
def highest_gap(state: State, name: int, budget: float) -> float:
    """At least the gap, without solving, once `own` has lower bounds for the leader's cells."""
    k, other = state.first[name], state.other[name]
    items, cells = state.leader.items, state.cells
    if name >= state.n_swaps:
        return upper(cells[k, other], budget) - state.own[k]
    gained = upper(cells[k, items[other]], budget) + upper(cells[other, items[k]], budget)
    return gained - (state.own[k] + state.own[other])


@compiled
def lowest_gap(state: State, name: int, budget: float, near: float) -> float:
    """At most the gap, from points near the budget, which `highest_gap` then profits from, too."""
    k, other = state.first[name], state.other[name]
    items, cells = state.leader.items, state.cells
    lost = most_of_leader(state, k, budget, near)
    if name >= state.n_swaps:
        return least(cells[k, other], budget, near) - lost
    lost += most_of_leader(state, other, budget, near)
    gained = least(cells[k, items[other]], budget, near)
    return gained + least(cells[other, items[k]], budget, near) - lost


@compiled
def least(cell: Any, budget: float, near: float) -> float:
    come_near(cell, budget, near)
    return lower(cell, budget)


@compiled
def most_of_leader(state: State, position: int, budget: float, near: float) -> float:
    cell = state.cells[position, state.leader.items[position]]
    state.own[position] = least(cell, budget, near)
    return upper(cell, budget)


@compiled
def show(state: State, name: int, ranking: NDArray[np.int64]) -> None:
    """Change the leader in `ranking` into a neighbour."""
    k, other = state.first[name], state.other[name]
    if name >= state.n_swaps:
        ranking[k] = other
    else:
        item = ranking[k]
        ranking[k] = ranking[other]
        ranking[other] = item


@compiled
def replace_at(state: State, position: int, name: int) -> int:
    """Write the neighbours with another item at `position`, from `name` on; return the next."""
    for item in range(state.leader.positions.size):
        if state.leader.positions[item] == NOBODY:
            state.first[name] = position
            state.other[name] = item
            name += 1
    return name


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """1 / (neighbours that tied): each is another list."""
    return 1.0 / max(state.now[0].n_tied, 1)
