"""An interval that may be watched all the time: it covers the truth at every moment together.

An ordinary 95 % interval covers the truth at one moment chosen beforehand. Whoever looks every day
and stops when it excludes 0 is wrong far more often than in 5 % of tests. A confidence sequence
covers the truth at all moments at once with 95 %, so that looking and stopping are free.

This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
"Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024,
whose boundary is Robbins' normal mixture. With t views, an estimate whose variance is v, error
probability alpha and x = t rho^2,

    estimate +- sqrt(v (x + 1) / x  ln((x + 1) / alpha^2))

It holds for means that change over time, such as those of a policy that learns: then it covers
their average over the views so far. It is asymptotic, as every interval from an estimated variance
is: none is given until both arms have clicks in LEAST_CLICKED buckets of sessions. A test of ours
plays games without an effect and watches them all along.
"""

from math import log, sqrt

LEAST_CLICKED = 50


def mixture(alpha: float, expected_views: int) -> float:
    """rho^2, for which the interval is tightest after this many views (their Appendix B)."""
    return (-2.0 * log(alpha) + log(-2.0 * log(alpha)) + 1.0) / expected_views


def half_width(variance: float, n_views: int, alpha: float, expected_views: int) -> float:
    """Half of the interval of an estimate with this variance, from this many views."""
    x = n_views * mixture(alpha, expected_views)
    return sqrt(variance * (x + 1.0) / x * log((x + 1.0) / alpha**2))
