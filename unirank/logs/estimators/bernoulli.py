"""A probability: its estimate, its log-likelihood and its prior.

`prior` is a number of pseudo-observations of each outcome, so that an estimate is

    (successes + prior) / (trials + 2 prior)

and `prior` = 0 is maximum likelihood. Estimators maximise the log-likelihood plus
prior (log p + log(1 - p)) for each parameter, the log density of the prior up to a constant.
"""

from math import inf, log

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

UNSEEN = 0.5  # the value of a parameter without data


@compiled
def share(successes: float, trials: float, prior: float) -> float:
    """Return the estimate of a probability from (expected) counts."""
    if trials + prior <= 0.0:
        return UNSEEN
    return min(1.0, (successes + prior) / (trials + 2.0 * prior))


@compiled
def log_share(count: float, chance: float) -> float:
    """Return count * log(chance), where 0 times anything is 0."""
    if count <= 0.0:
        return 0.0
    return count * log(chance) if chance > 0.0 else -inf


@compiled
def log_prior(chance: float, prior: float) -> float:
    return log_share(prior, chance) + log_share(prior, 1.0 - chance)


def totals(parameter: NDArray[np.int64], counts: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Return the sum of the counts of each of `n` parameters."""
    return np.asarray(np.bincount(parameter, counts, n), np.float64)


def shares(
    successes: NDArray[np.float64], trials: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """Return `share` of each pair."""
    pairs = zip(successes.tolist(), trials.tolist(), strict=True)
    return np.array([share(float(s), float(n), prior) for s, n in pairs], np.float64)
