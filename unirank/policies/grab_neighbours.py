"""Which neighbour of the leader to play, for GRAB and S-GRAB: solving for few of its indices.

A neighbour swaps the items of two positions of the leader, or shows another item at one of them.
Its index is the sum over positions of u[k, item_k], and so is the leader's (`cells.py`); where they
agree, nothing has to be known:

    gap of a swap of k, l       u[k, i_l] + u[l, i_k] - u[k, i_k] - u[l, i_l]
    gap of item j at k          u[k, j] - u[k, i_k]

The largest gap wins if it is above 0, else the leader does. Gaps closer than TIE count as equal:
the leader wins a tie, and neighbours that tie are drawn uniformly. A neighbour is solved for only
if bounds of its indices leave it a chance.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.assignment import NOBODY
from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.randomness import Rng, below
from unirank.policies.cells import index_at, lower, upper
from unirank.policies.grab_leader import LEADER_BUDGET, NONE, State

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
    now = state.now[0]
    best = 0.0
    if now.favourite != NONE:  # a good first guess leaves little to solve for
        best = max(best, gap(state, now.favourite, budget))
    for name in range(state.first.size):
        state.gaps[name] = -np.inf
        if highest_gap(state, name, budget) >= best - 2.0 * TIE:
            state.gaps[name] = gap(state, name, budget)
            best = max(best, state.gaps[name])
    if best <= TIE:
        return
    for name in range(state.first.size):
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
    """At least the gap, mostly without solving."""
    k, other = state.first[name], state.other[name]
    items, cells = state.leader.items, state.cells
    own = lower(cells[k, items[k]], budget)
    if name >= state.n_swaps:
        return upper(cells[k, other], budget) - own
    gained = upper(cells[k, items[other]], budget) + upper(cells[other, items[k]], budget)
    return gained - (own + lower(cells[other, items[other]], budget))


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
