"""Certificates: proofs that the ranking of the last round is that of this one, too.

Sorting (`order.py`) bounds the index of every item. In a long game the order seldom changes, and
only the indices of the items that were read change, by little in each round. So a certificate
keeps by how much each shown item was ahead of the next, the last one of all items not shown,

    ahead    a lower bound of the item's index, less an upper bound of the next one's

and how far the indices can have drifted since (`shared/index_drift.py`). The budget grows with
the rounds: lower bounds are those of the first budget, upper bounds those at the certificate's end.
"""

import numpy as np

from unirank.policies.cascading.state import State
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.shared.cell_bounds import lower, upper
from unirank.policies.shared.index_drift import start_drift

ROUNDING = 1e-12  # bounds closer than this count as overlapping


@compiled
def certify(state: State, budget: float) -> None:
    """Keep a certificate for the items in front of `order`, which bounds have sorted."""
    now, order, n_shown = state.now[0], state.order, state.ahead.size
    until = now.rounds + now.rounds // 1024 + 8
    last = budget_after(until, 3.0)
    behind = -np.inf
    for slot in range(order.size - 1, -1, -1):
        item = order[slot]
        cell, drift = state.cells[item], state.drifts[item]
        high = upper(cell, last)
        if slot >= n_shown:
            drift.shows = 0  # not followed: a late answer about it ends the certificate
            behind = max(behind, high)
            continue
        low = lower(cell, budget)
        state.ahead[slot] = low - behind - ROUNDING
        if not state.ahead[slot] > 0.0:
            return
        start_drift(drift, cell, low, high)
        behind = high
    now.certain_until = until


@compiled
def still_sorted(state: State) -> bool:
    """Whether the certificate still proves the order."""
    order, drifts, ahead = state.order, state.drifts, state.ahead
    last = ahead.size - 1
    worst = ahead[last] + drifts[order[last]].low
    for slot in range(last):
        drift = drifts[order[slot]].low - drifts[order[slot + 1]].high
        worst = min(worst, ahead[slot] + drift)
    return worst > 0.0
