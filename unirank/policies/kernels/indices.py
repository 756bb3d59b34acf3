"""Optimism for clicks: the Bernoulli divergence, the KL-UCB index and its budget.

    kl(p, q)          = p ln(p/q) + (1-p) ln((1-p)/(1-q)),   0 ln 0 = 0
    kl_ucb(p, n, b)   = max{q in [p, 1]: n kl(p, q) <= b}
    budget(t, c)      = ln t + c ln ln t,   0 where that is not positive or not defined

Garivier and Cappe, "The KL-UCB algorithm", COLT 2011 (c = 3 in their proof).
"""

import numpy as np

from unirank.policies.kernels.compiling import compiled

_ALMOST_NOTHING = 1e-14
_TOLERANCE = 1e-15  # on the square of a Newton step: what is left after it is smaller
NEVER = 2**62


@compiled
def kl(p: float, q: float) -> float:
    """Bernoulli Kullback-Leibler divergence; infinite where q rules out what p allows."""
    divergence = 0.0
    if p > 0.0:
        divergence += p * np.log(p / q) if q > 0.0 else np.inf
    if p < 1.0:
        divergence += (1.0 - p) * np.log((1.0 - p) / (1.0 - q)) if q < 1.0 else np.inf
    return max(divergence, 0.0)


@compiled
def budget(count: float, loglog_weight: float) -> float:
    """Exploration budget after `count` rounds: never negative, 0 for count < 2."""
    if count < 2:
        return 0.0
    log = np.log(float(count))
    if loglog_weight == 0.0:
        return log
    return max(log + loglog_weight * np.log(log), 0.0)


@compiled
def first_count(evidence: float, loglog_weight: float) -> int:
    """Smallest count whose budget exceeds `evidence`; NEVER if that is beyond any game."""
    low, high = 1, 2**41
    if not budget(high, loglog_weight) > evidence:
        return NEVER
    while high - low > 1:
        middle = (low + high) // 2
        if budget(middle, loglog_weight) > evidence:
            high = middle
        else:
            low = middle
    return high


@compiled
def kl_ucb(mean: float, count: float, budget: float) -> float:
    """Largest q in [mean, 1] with count * kl(mean, q) <= budget, to 1e-12.

    count = 0 gives 1 (nothing is known), budget <= 0 gives the mean.
    """
    room = 1.0 - mean
    if count <= 0 or room < _ALMOST_NOTHING:
        return 1.0
    if budget <= 0.0:
        return mean
    level = budget / count
    if mean < _ALMOST_NOTHING:  # mean ln(mean / q) is below 1e-12, whatever q >= mean
        return max(mean, -np.expm1(-level))
    # Newton from the right of a convex function falls onto the root without ever crossing it.
    rise = np.sqrt(0.5 * level)  # Pinsker's inequality: the index is at most mean + rise
    if rise < 0.5 * room:
        # In terms of the rise no digits cancel, however close the index is to the mean.
        for _ in range(100):
            divergence = -mean * np.log1p(rise / mean) - room * np.log1p(-rise / room)
            step = (divergence - level) * (mean + rise) * (room - rise) / rise
            rise -= step
            if step * step <= _TOLERANCE * rise or rise <= 0.0:
                break
        return mean + max(rise, 0.0)
    # Nearer to 1, in terms of y = -ln(1 - q), almost a straight line.
    entropy = -mean * np.log(mean) - room * np.log1p(-mean)
    y = (level + entropy) / room  # from -mean ln q >= 0
    if y > 100.0:
        return 1.0
    for _ in range(100):
        q = -np.expm1(-y)
        step = (room * y - mean * np.log(q) - entropy - level) * q / (q - mean)
        y -= step
        if step * step <= _TOLERANCE:
            break
    return -np.expm1(-y)
