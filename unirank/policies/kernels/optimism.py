"""Which of many KL-UCB indices is largest, solving for as few of them as possible.

For W successes in T trials the index u(W, T, b) solves T kl(W/T, u) = b, and

    T kl(W/T, x) = peak - W ln x - (T-W) ln(1-x),   peak = T (p ln p + (1-p) ln(1-p)), p = W/T.

So whether an index exceeds x takes two products once `peak` is known: for W/T < x, u > x exactly
when the evidence T kl(W/T, x) is below the budget. Only a new best is solved for. Equal (W, T) are
equal indices, which makes ties exact.
"""

from typing import NamedTuple

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import kl_ucb

ROUNDING = 1e-12  # evidence this close to the budget counts as equal to it


class Best(NamedTuple):
    """The largest index so far, x, and the (wins, comparisons) that have it."""

    wins: float
    comparisons: float
    log_x: float
    log_not_x: float


@compiled
def none_better_than(x: float) -> Best:
    """Start a search for indices above x."""
    return Best(-1.0, -1.0, np.log(x), np.log1p(-x))


@compiled
def best_with(wins: float, comparisons: float, budget: float) -> Best:
    """The KL-UCB index of these wins, as the largest one so far."""
    trials = np.float64(comparisons)
    x = kl_ucb(wins / comparisons, trials, budget)
    return Best(wins, trials, np.log(x), np.log1p(-x))


@compiled
def peak_of(wins: float, comparisons: float) -> float:
    """Log-likelihood of the wins at their own mean."""
    if wins <= 0.0 or wins >= comparisons:
        return 0.0
    p = wins / comparisons
    return comparisons * (p * np.log(p) + (1.0 - p) * np.log1p(-p))


@compiled
def evidence(best: Best, wins: float, comparisons: float, peak: float) -> float:
    """T kl(W/T, x) at the best index x so far."""
    return peak - wins * best.log_x - (comparisons - wins) * best.log_not_x


@compiled
def ties(best: Best, wins: float, comparisons: float) -> bool:
    """Whether these wins are those that have the largest index."""
    return wins == best.wins and comparisons == best.comparisons
