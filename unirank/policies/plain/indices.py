"""Optimistic values: the largest mean that the observations do not yet exclude."""

from math import inf, log

LOGLOG_WEIGHT = {"kl-ucb": 3.0, "ln": 0.0}


def kl(p: float, q: float) -> float:
    """Return the divergence of Bernoulli(p) from Bernoulli(q), with 0 ln 0 = 0."""
    if (q == 0 and p > 0) or (q == 1 and p < 1):
        return inf
    divergence = 0.0
    if p > 0:
        divergence += p * log(p / q)
    if p < 1:
        divergence += (1 - p) * log((1 - p) / (1 - q))
    return divergence


def budget(t: float, loglog_weight: float) -> float:
    """Return ln t + weight ln ln t, or 0 where it is undefined or not positive."""
    if t < 2:
        return 0.0
    return max(0.0, log(t) + loglog_weight * log(log(t)))


def kl_ucb(mean: float, count: float, budget: float) -> float:
    """Return max{q in [mean, 1]: count * kl(mean, q) <= budget}."""
    if count == 0 or mean == 1:
        return 1.0
    if budget <= 0:
        return mean
    low, high = mean, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):  # no number is left between them
            break
        if count * kl(mean, middle) <= budget:
            low = middle
        else:
            high = middle
    return low
