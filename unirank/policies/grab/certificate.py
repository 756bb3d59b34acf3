"""Certificates: proofs that the same list is played again, without a search.

A search (`neighbours.py`) finds the list of largest index among the leader and its neighbours. In a
long game the same list wins many rounds in a row, and only the indices of its own cells change,
by little in each show (`shared/index_drift.py`). So a certificate keeps by how much the winner is
ahead of each other list, and how far the cells have drifted since:

    lead      drift of the winner's gap, at least: that of the cells it gains, less that of the
              leader's cells it gives up
    ahead     of each swap, of the replacements at each position, of the leader: what the winner's
              gap is larger by, at least

A list with the leader's cells k, l exchanged is behind as long as ahead + lead + drift of k and l,
at least, is above 0. The budget grows with the rounds: all indices that must be low are those of
the first budget, all that must be high are those at the certificate's end.
"""

import numpy as np

from unirank.policies.grab.state import LEADER_BUDGET, State
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.shared.cell_bounds import lower, upper
from unirank.policies.shared.index_drift import start_drift

MARGIN = 2e-10  # two ties, as in `find_best`
LEADER = -1  # stands for the leader as the winner
SEVERAL = -2  # neighbours tied


@compiled
def certify(state: State, n_rounds: int, budget: float) -> None:
    """Keep a certificate for the result of a search, if there is one winner."""
    now = state.now[0]
    before = now.winner
    now.winner = LEADER if now.n_tied == 0 else state.tied[0] if now.n_tied == 1 else SEVERAL
    now.certain_until = 0
    if now.winner != before or now.winner == SEVERAL:
        return  # lists that take turns would need a certificate each
    until, last = n_rounds + n_rounds // 1024 + 8, budget
    if state.budget == LEADER_BUDGET:
        last = budget_after(until, 3.0)
    if start(state, budget, last):
        now.certain_until = until


@compiled
def start(state: State, budget: float, last: float) -> bool:
    """Start a certificate for budgets from `budget` to `last`; whether the winner is ahead."""
    items, cells, drifts, ahead = state.leader.items, state.cells, state.drifts, state.ahead
    winner, n_swaps = state.now[0].winner, state.n_swaps
    for position in range(items.size):
        cell = cells[position, items[position]]
        state.own[position] = lower(cell, budget)
        start_drift(drifts[0, position], cell, state.own[position], upper(cell, last))
        state.gained[position] = items[position]
        ahead[n_swaps + position] = np.inf
    lead = 0.0
    if winner != LEADER:
        k, other = state.first[winner], state.other[winner]
        if winner < n_swaps:
            lead = gain(state, k, items[other], budget, last)
            lead += gain(state, other, items[k], budget, last)
        else:
            lead = gain(state, k, other, budget, last)
        if not lead > MARGIN:
            return False
    state.now[0].lead = lead - MARGIN
    for number in range(state.first.size):
        k, other = state.first[number], state.other[number]
        if number == winner:
            if number < n_swaps:
                ahead[number] = np.inf
            continue
        if number < n_swaps:
            high = upper(cells[k, items[other]], last) + upper(cells[other, items[k]], last)
            ahead[number] = lead - MARGIN - (high - (state.own[k] + state.own[other]))
            if not ahead[number] > 0.0:
                return False
        else:
            margin = lead - MARGIN - (upper(cells[k, other], last) - state.own[k])
            if not margin > 0.0:
                return False
            ahead[n_swaps + k] = min(ahead[n_swaps + k], margin)
    return True


@compiled
def gain(state: State, position: int, item: int, budget: float, last: float) -> float:
    """Follow the cell that the winner gains at a position; return what it gains, at least."""
    cell = state.cells[position, item]
    low = lower(cell, budget)
    state.gained[position] = item
    start_drift(state.drifts[1, position], cell, low, upper(cell, last))
    return low - upper(state.cells[position, state.leader.items[position]], last)


@compiled
def still_wins(state: State) -> bool:
    """Whether the certificate still proves that the winner is ahead of all other lists."""
    now, own, ahead, n_swaps = state.now[0], state.drifts[0], state.ahead, state.n_swaps
    lead = 0.0
    if now.winner != LEADER:
        k, other = state.first[now.winner], state.other[now.winner]
        lead = state.drifts[1, k].low - own[k].high
        if now.winner < n_swaps:
            lead += state.drifts[1, other].low - own[other].high
        if not now.lead + lead > 0.0:
            return False
    worst = np.inf
    for position in range(own.size):
        worst = min(worst, ahead[n_swaps + position] + own[position].low)
    for number in range(n_swaps):
        k, other = state.first[number], state.other[number]
        worst = min(worst, ahead[number] + own[k].low + own[other].low)
    return worst + lead > 0.0
