"""The index of a UniRank neighbour, from a summary of its pairs that rarely needs renewing.

A neighbour lets the items of one subset (`ahead`) meet others (`behind`). Its index is the largest
over their pairs, and each grows with the budget, round after round. Of all pairs keep the largest
share of wins of an item behind, and the smallest number of comparisons: the index of that pair of
numbers bounds every pair's, at any budget. If one pair has both it is the neighbour's index
(always so between single items); else pairs are visited only when the bound beats the best.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.optimism import ROUNDING, Best, best_with, evidence, peak_of, ties

SUMMARY = np.dtype(
    [
        ("wins", np.float64),  # largest share of wins, times `comparisons`
        ("comparisons", np.int64),  # smallest number; 0: to be summarised again
        ("peak", np.float64),
        ("exact", np.bool_),  # one pair has both
    ]
)


@compiled
def summarise(
    wins: NDArray[np.int64], ahead: NDArray[np.int64], behind: NDArray[np.int64], summary: Any
) -> None:
    share = -1.0
    fewest = fewest_at_share = 2**62
    for i in ahead:
        for j in behind:
            comparisons = wins[j, i] + wins[i, j]
            fewest = min(fewest, comparisons)
            here = wins[j, i] / comparisons
            if here > share:
                share = here
                fewest_at_share = comparisons
            elif here == share:
                fewest_at_share = min(fewest_at_share, comparisons)
    summary.comparisons = fewest
    summary.exact = fewest_at_share == fewest
    summary.wins = np.rint(share * fewest) if summary.exact else share * fewest
    summary.peak = peak_of(summary.wins, fewest)


@compiled
def challenge(
    wins: NDArray[np.int64],
    ahead: NDArray[np.int64],
    behind: NDArray[np.int64],
    summary: Any,
    budget: float,
    best: Best,
) -> tuple[Best, bool, float]:
    """Let a neighbour challenge the best index so far.

    Return the best of both, whether it is (also) this neighbour's, and the least evidence met.
    """
    if summary.comparisons == 0:
        summarise(wins, ahead, behind, summary)
    least = evidence(best, summary.wins, summary.comparisons, summary.peak)
    if summary.exact:
        if ties(best, summary.wins, summary.comparisons):
            return best, True, least
        if least < budget - ROUNDING:
            return best_with(summary.wins, summary.comparisons, budget), True, least
        return best, False, least
    if least >= budget - ROUNDING:
        return best, False, least
    won = False
    least = np.inf
    for i in ahead:
        for j in behind:
            won_by_j = np.float64(wins[j, i])
            comparisons = wins[j, i] + wins[i, j]
            if ties(best, won_by_j, comparisons):
                won = True
                continue
            here = evidence(best, won_by_j, comparisons, peak_of(won_by_j, comparisons))
            least = min(least, here)
            if here < budget - ROUNDING:
                best = best_with(won_by_j, comparisons, budget)
                won = True
    return best, won, least
