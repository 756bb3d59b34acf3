"""Which neighbour of the leader GRAB and S-GRAB play, solving for few of the indices.

A neighbour swaps the items of two positions of the leader, or shows another item at one of them.
The index of a list is the sum over positions of u[k, item_k] (`shared/cell_bounds.py`), so a
neighbour and the leader differ by a gap that needs the changed cells only:

    gap of a swap of k, l       u[k, i_l] + u[l, i_k] - u[k, i_k] - u[l, i_l]
    gap of item j at k          u[k, j] - u[k, i_k]

The neighbour of largest gap is played if that gap is above 0, else the leader. Gaps closer than TIE
are equal: the leader wins a tie, and a uniform draw decides between neighbours. Gaps are computed
exactly only where bounds leave more than one candidate. Most rounds need no search: a certificate
(`certificate.py`) proves that the list which won before wins again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.grab.certificate import LEADER, certify, still_wins
from unirank.policies.grab.state import LEADER_BUDGET, State
from unirank.policies.kernels.assignment import NOBODY
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.randomness import Rng, below
from unirank.policies.shared.cell_bounds import NEAR, come_near, index_at, lower, upper

TIE = 1e-10  # an index is computed to 1e-12
TIE_DRAW = 0  # the only draw of a round


@compiled
def choose(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Fill `ranking` with the neighbour to play, or the leader, and count the round."""
    now = state.now[0]
    n_rounds = state.leader_counts[now.place]
    now.n_tied = 0
    if n_rounds % state.period != 0:
        if n_rounds <= now.certain_until and still_wins(state):
            now.n_tied = now.winner != LEADER
            state.tied[0] = now.winner
        else:
            budget = state.budget
            if budget == LEADER_BUDGET:
                budget = budget_after(n_rounds, 3.0)
            now.n_tied = find_best(state, budget)
            certify(state, n_rounds, budget)
    for position in range(ranking.size):
        ranking[position] = state.leader.items[position]
    if now.n_tied > 0:
        choice = below(rng, TIE_DRAW, now.n_tied) if now.n_tied > 1 else 0
        show(state, state.tied[choice], ranking)
    state.leader_counts[now.place] += 1


@compiled
def find_best(state: State, budget: float) -> int:
    """Fill `tied` with the neighbours of largest gap; return how many, 0 if no gap is above 0."""
    best = bound_gaps(state, budget)
    n_left = 0
    for number in range(state.first.size):
        if state.gaps[number] >= best - 2.0 * TIE:
            state.tied[n_left] = number
            n_left += 1
    if n_left == 1 and best > 2.0 * TIE:
        return 1
    best = 0.0
    for place in range(n_left):
        number = state.tied[place]
        state.gaps[number] = gap(state, number, budget)
        best = max(best, state.gaps[number])
    n_tied = 0
    for place in range(n_left):
        number = state.tied[place]
        if best > TIE and state.gaps[number] >= best - TIE:
            state.tied[n_tied] = number
            n_tied += 1
    return n_tied


@compiled
def bound_gaps(state: State, budget: float) -> float:
    """Fill `gaps` with upper bounds; return a lower bound of the largest gap, at least 0."""
    for position in range(state.own.size):
        state.own[position] = lower(state.cells[position, state.leader.items[position]], budget)
    best = 0.0
    for number in range(state.first.size):
        state.gaps[number] = highest_gap(state, number, budget)
        if state.gaps[number] >= best - 2.0 * TIE:
            best = max(best, lowest_gap(state, number, budget))
            state.gaps[number] = highest_gap(state, number, budget)
    return best


@compiled
def gap(state: State, number: int, budget: float) -> float:
    k, other = state.first[number], state.other[number]
    items, cells = state.leader.items, state.cells
    own = index_at(cells[k, items[k]], budget)
    if number >= state.n_swaps:
        return index_at(cells[k, other], budget) - own
    gained = index_at(cells[k, items[other]], budget) + index_at(cells[other, items[k]], budget)
    return gained - (own + index_at(cells[other, items[other]], budget))


@compiled
def highest_gap(state: State, number: int, budget: float) -> float:
    """Upper bound of a gap; `own` holds lower bounds for the leader's cells."""
    k, other = state.first[number], state.other[number]
    items, cells = state.leader.items, state.cells
    if number >= state.n_swaps:
        return upper(cells[k, other], budget) - state.own[k]
    gained = upper(cells[k, items[other]], budget) + upper(cells[other, items[k]], budget)
    return gained - (state.own[k] + state.own[other])


@compiled
def lowest_gap(state: State, number: int, budget: float) -> float:
    """Lower bound of a gap, from points near the budget, which make `highest_gap` tighter, too."""
    k, other = state.first[number], state.other[number]
    items, cells = state.leader.items, state.cells
    lost = highest_own(state, k, budget)
    if number >= state.n_swaps:
        return lower_nearby(cells[k, other], budget) - lost
    lost += highest_own(state, other, budget)
    gained = lower_nearby(cells[k, items[other]], budget)
    return gained + lower_nearby(cells[other, items[k]], budget) - lost


@compiled
def lower_nearby(cell: Any, budget: float) -> float:
    come_near(cell, budget, NEAR)
    return lower(cell, budget)


@compiled
def highest_own(state: State, position: int, budget: float) -> float:
    """Upper bound for the leader's cell at a position; makes its lower bound in `own` tighter."""
    cell = state.cells[position, state.leader.items[position]]
    state.own[position] = lower_nearby(cell, budget)
    return upper(cell, budget)


@compiled
def show(state: State, number: int, ranking: NDArray[np.int64]) -> None:
    """Change the leader in `ranking` into a neighbour."""
    k, other = state.first[number], state.other[number]
    if number >= state.n_swaps:
        ranking[k] = other
    else:
        item = ranking[k]
        ranking[k] = ranking[other]
        ranking[other] = item


@compiled
def add_replacements(state: State, position: int, number: int) -> int:
    """Write the neighbours with another item at `position`, from `number` on; return the next."""
    for item in range(state.leader.positions.size):
        if state.leader.positions[item] == NOBODY:
            state.first[number] = position
            state.other[number] = item
            number += 1
    return number


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """1 / (neighbours that tied): each is another list."""
    return 1.0 / max(state.now[0].n_tied, 1)
