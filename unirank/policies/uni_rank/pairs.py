"""Click differences of pairs of items, and which of them UniRank is sure of.

    s_ij = (W_ij - W_ji) / T_ij,   T_ij = W_ij + W_ji differing clicks,   p_ij = (1 + s_ij) / 2
    sure:  T_ij kl(p_ij, 1/2) >= b > 0,   b the budget of the present leader

That is when the KL confidence interval of s_ij, {2q - 1: T_ij kl(p_ij, q) < b}, leaves out 0. While
the leader is new b is 0, and nothing is sure.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.explanation import PairTable
from unirank.policies.base.leader import ItemId
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import kl

MOST_ITEMS = 200  # in a table: its cells are as many as their square


@compiled
def evidence_of(wins: float, comparisons: float) -> float:
    """T kl(p, 1/2): how surely one of two items is ahead; 0 without a comparison."""
    return comparisons * kl(wins / comparisons, 0.5) if comparisons > 0.0 else 0.0


@compiled
def find_evidence(wins: NDArray[Any], evidence: NDArray[np.float64]) -> None:
    """Write the evidence of each pair, row against column."""
    for i in range(len(wins)):
        for j in range(len(wins)):
            evidence[i, j] = evidence_of(wins[i, j], wins[i, j] + wins[j, i])


def table_of(
    wins: NDArray[Any], items: tuple[ItemId, ...], order: list[int], budget: float
) -> PairTable:
    """The pairs of the first items in this order of item numbers."""
    shown = order[:MOST_ITEMS]
    wins = wins[np.ix_(shown, shown)]
    evidence = np.zeros(wins.shape)
    find_evidence(wins, evidence)
    decided = (evidence >= budget) & (budget > 0.0)
    return PairTable(tuple(items[number] for number in shown), wins, decided)
