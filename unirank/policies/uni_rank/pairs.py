"""Click differences of each pair of items, and which of them UniRank is sure of.

    s_ij = (W_ij - W_ji) / T_ij,   T_ij = W_ij + W_ji differing clicks,   p_ij = (1 + s_ij) / 2
    sure:  T_ij kl(p_ij, 1/2) >= b > 0,   b the budget of the present leader

That is when the KL confidence interval of s_ij, {2q - 1: T_ij kl(p_ij, q) < b}, leaves out 0. While
the leader is new b is 0, and nothing is sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.indices import budget, kl
from unirank.policies.uni_rank.policy import UniRank
from unirank.policies.uni_rank.state import wins_now


@dataclass(frozen=True, eq=False)
class PairTable:
    """Tables by item index: row against column."""

    difference: NDArray[np.float64]  # s, nan where no click differed yet
    comparisons: NDArray[Any]  # T
    sure: NDArray[np.bool_]
    budget: float  # b

    def in_order(self, order: Sequence[int]) -> "PairTable":
        """The same with rows and columns in another order."""
        cells = np.ix_(order, order)
        tables = self.difference[cells], self.comparisons[cells], self.sure[cells]
        return PairTable(*tables, self.budget)


def budget_of(policy: UniRank) -> float:
    """The budget that the next round compares evidence with."""
    return float(budget(policy.explain().n_rounds, policy.state.loglog_weight))


def evidence_of(wins: float, comparisons: float) -> float:
    """T kl(p, 1/2): how surely one of two items is ahead; 0 without a comparison."""
    return comparisons * float(kl(wins / comparisons, 0.5)) if comparisons else 0.0


def pairs_of(policy: object) -> PairTable:
    """Every pair of the policy's items."""
    if not isinstance(policy, UniRank):
        raise ArgumentError(f"policy must be UniRank, which compares pairs, got {policy!r:.80}")
    wins = wins_now(policy.state).copy()
    comparisons = wins + wins.T
    with np.errstate(invalid="ignore"):
        difference = (wins - wins.T) / comparisons
    evidence = np.array(
        [
            [evidence_of(won, n) for won, n in zip(*rows, strict=True)]
            for rows in zip(wins.tolist(), comparisons.tolist(), strict=True)
        ]
    )
    here = budget_of(policy)
    return PairTable(difference, comparisons, (evidence >= here) & (here > 0.0), here)
