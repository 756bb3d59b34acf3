"""Which neighbours of the leader have the largest index.

A neighbour lets the items of one subset (`ahead`) meet others (`behind`). Its index is the largest
over their pairs, and each grows with the budget, round after round. An index rises with the share
of wins of the item behind and falls with the number of comparisons, at any budget: so only pairs
that no other beats on both can have the largest. These few, the front, are all that is kept. Should
there be more than FRONT of them, the last entry bounds the others, and the pairs are visited again
only when that bound beats the best.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.indices import first_count
from unirank.policies.kernels.optimism import (
    ROUNDING,
    Best,
    best_with,
    evidence,
    none_better_than,
    peak_of,
    ties,
)
from unirank.policies.uni_rank.state import FRONT, LEADER, NEVER_DECIDED, State

MARGIN = 1e-6  # far above the rounding of evidence
FEWEST = 2.0  # with a half-life a pair counts at least so many: with fewer, every index is 1


@compiled
def find_best_neighbours(state: State) -> None:
    """Find the neighbours of largest index above 0, for the leader's present count."""
    now = state.now[0]
    keeps = state.growth == 1.0  # where statistics fade, so do decisions
    count = np.int64(state.leader_counts[now.place])
    if keeps and (now.decided_at == count or count < now.crossing):
        return
    # Wins are in units of `scale`: the budget is scaled once, not every count.
    rounds_led = state.leader_counts[now.place] / now.scale
    budget = budget_after(rounds_led, state.loglog_weight) * now.scale
    if keeps and now.decided_at != NEVER_DECIDED and now.n_tied > 0 and budget < now.certain_below:
        now.decided_at = count
        return
    now.decided_at = count
    now.n_tied = 0
    all_tie = state.explore_early and budget <= 0.0
    best = none_better_than(0.5)  # kl_ucb 1/2 is index 0, the leader's
    if now.favourite != LEADER:  # the last winner rules most others out cheaply
        best, _, _ = consider(state, now.favourite, budget, best)
    least = np.inf
    neighbour = state.ends[0]
    while neighbour < state.order.size:
        wins, comparisons = best.wins, best.comparisons
        best, won, here = consider(state, neighbour, budget, best)
        least = min(least, here)
        if won and not ties(best, wins, comparisons):
            now.n_tied = 0
        if won or all_tie:
            state.tied[now.n_tied] = neighbour
            now.n_tied += 1
        neighbour = state.ends[neighbour] if neighbour < now.taken else neighbour + 1
    if now.n_tied == 0:
        now.crossing = first_count(least + ROUNDING, state.loglog_weight)
    else:
        now.favourite = state.tied[0]
        # The best index grows with the budget, and so does the evidence against all others.
        now.certain_below = 0.0 if all_tie else least - MARGIN


@compiled
def consider(state: State, neighbour: int, budget: float, best: Best) -> tuple[Best, bool, float]:
    """Let a neighbour challenge the best index."""
    only = state.summaries[neighbour, 0]
    fewest = FEWEST * state.now[0].scale if state.growth > 1.0 else 0.0
    if only.comparisons > fewest and only.exact and state.summaries[neighbour, 1].comparisons == 0:
        # The usual case is decided on one pair's numbers; finding the subsets would cost as much.
        least = evidence(best, only.wins, only.comparisons, only.peak)
        if least >= budget - ROUNDING and not ties(best, only.wins, only.comparisons):
            return best, False, least
    start, end, until = slots_of(state, neighbour)
    return challenge(
        state.wins,
        state.order[start:end],
        state.order[neighbour:until],
        state.summaries[neighbour],
        fewest,
        budget,
        best,
    )


@compiled
def slots_of(state: State, neighbour: int) -> tuple[int, int, int]:
    """Return start, end, until: order[neighbour:until] joins the subset order[start:end]."""
    taken = state.now[0].taken
    end = min(neighbour, taken)
    start = state.start_of[state.scores[state.order[end - 1]]]
    until = state.ends[neighbour] if neighbour < taken else neighbour + 1
    return start, end, until


@compiled
def summarise(
    wins: NDArray[Any], ahead: NDArray[np.int64], behind: NDArray[np.int64], front: Any
) -> None:
    """Fill `front` with the pairs that can have the largest index."""
    size = 0
    for i in ahead:
        for j in behind:
            size = add_to_front(wins[j, i], wins[j, i] + wins[i, j], size, front)
    for entry in range(size):
        front[entry].peak = peak_of(front[entry].wins, front[entry].comparisons)
    if size < FRONT:
        front[size].comparisons = 0


@compiled
def add_to_front(wins: float, comparisons: float, size: int, front: Any) -> int:
    """Enter a pair unless an entry beats or equals it on both counts; return the new size."""
    share = wins / comparisons
    kept = 0
    for entry in range(size):
        other = front[entry]
        other_share = other.wins / other.comparisons
        if other_share >= share and other.comparisons <= comparisons:
            return size
    for entry in range(size):
        other = front[entry]
        other_share = other.wins / other.comparisons
        if not (share >= other_share and comparisons <= other.comparisons):
            front[kept].wins = other.wins
            front[kept].comparisons = other.comparisons
            front[kept].exact = other.exact
            kept += 1
    if kept < FRONT:
        front[kept].wins = np.float64(wins)
        front[kept].comparisons = np.float64(comparisons)
        front[kept].exact = True
        return kept + 1
    last = front[FRONT - 1]
    share = max(share, last.wins / last.comparisons)
    last.comparisons = min(comparisons, last.comparisons)
    last.wins = share * last.comparisons
    last.exact = False
    return FRONT


@compiled
def challenge(
    wins: NDArray[Any],
    ahead: NDArray[np.int64],
    behind: NDArray[np.int64],
    front: Any,
    fewest: float,
    budget: float,
    best: Best,
) -> tuple[Best, bool, float]:
    """Let a neighbour challenge the best index so far.

    Pairs of which fewer than `fewest` comparisons are left count as so many.

    Return the best of both, whether it is (also) this neighbour's, and the least evidence met.
    """
    if front[0].comparisons == 0:
        summarise(wins, ahead, behind, front)
    won = False
    least = np.inf
    for entry in front:
        if entry.comparisons == 0:
            break
        won_by, comparisons, peak = entry.wins, entry.comparisons, entry.peak
        if comparisons < fewest:
            won_by, comparisons = won_by / comparisons * fewest, fewest
            peak = peak_of(won_by, comparisons)
        if entry.exact and ties(best, won_by, comparisons):
            won = True
            continue
        here = evidence(best, won_by, comparisons, peak)
        if here < budget - ROUNDING:
            if not entry.exact:
                best, also, here = challenge_by_pairs(wins, ahead, behind, fewest, budget, best)
                won = won or also
            else:
                best = best_with(won_by, comparisons, budget)
                won = True
        least = min(least, here)
    return best, won, least


@compiled
def challenge_by_pairs(
    wins: NDArray[Any],
    ahead: NDArray[np.int64],
    behind: NDArray[np.int64],
    fewest: float,
    budget: float,
    best: Best,
) -> tuple[Best, bool, float]:
    """Like `challenge`, visiting every pair."""
    won = False
    least = np.inf
    for i in ahead:
        for j in behind:
            won_by_j = np.float64(wins[j, i])
            comparisons = np.float64(wins[j, i] + wins[i, j])
            if comparisons < fewest:
                won_by_j, comparisons = won_by_j / comparisons * fewest, np.float64(fewest)
            if ties(best, won_by_j, comparisons):
                won = True
                continue
            here = evidence(best, won_by_j, comparisons, peak_of(won_by_j, comparisons))
            least = min(least, here)
            if here < budget - ROUNDING:
                best = best_with(won_by_j, comparisons, budget)
                won = True
    return best, won, least
