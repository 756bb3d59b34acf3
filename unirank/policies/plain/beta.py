"""Beta random numbers by rejection.

Cheng, "Generating beta variates with nonintegral shape parameters", Communications of the ACM 1978,
for shapes a, b >= 1. `policies/kernels/beta.py` is the compiled edition.
"""

from math import exp, log, sqrt

from unirank.policies.base.round_rng import Draws


def beta(draws: Draws, draw: int, a: float, b: float) -> float:
    """Return a number of Beta(a, b) for a, b >= 1; the numbers it reads start at `draw`."""
    small, large = sorted((a, b))
    total = a + b
    spread = sqrt((2 * a * b - total) / (total - 2)) if small > 1 else 1.0
    bits = draws.bits(draw)
    for _ in range(64):
        u = draws.inner(bits)
        bits = draws.after(bits)
        v = draws.inner(bits)
        bits = draws.after(bits)
        y = log(u / (1 - u)) / spread
        w = small * exp(y)
        if total * log(total / (large + w)) + (small + spread) * y - log(4) >= log(u * u * v):
            return w / (large + w) if a == small else large / (large + w)
    return a / total  # reached with probability below 1e-31
