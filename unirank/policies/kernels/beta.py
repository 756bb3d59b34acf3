"""Beta random numbers by rejection, from addressed random numbers.

Cheng, "Generating beta variates with nonintegral shape parameters", Communications of the ACM 1978,
for shapes a, b >= 1. With small = min(a, b), large = max(a, b) and uniform u, v:

    spread = sqrt((2 a b - a - b) / (a + b - 2)),   1 where a = b = 1
    y      = ln(u / (1-u)) / spread
    w      = small e^y
    accept if (a+b) ln((a+b) / (large + w)) + (small + spread) y - ln 4 >= ln(u^2 v)
    return w / (large + w), which is Beta(small, large): 1 minus that if a > b

At least e/4 = 0.68 of the attempts are accepted. After MOST_ATTEMPTS, reached with probability
below 1e-31, the mean is returned. The first number is read at `draw`, and the bits of each are the
counter of the next, so no other address is read. `policies/plain/beta.py` is the edition to read
first.
"""

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, inner_uniform, random_bits, squares

MOST_ATTEMPTS = 64
LOG_4 = np.log(4.0)


@compiled
def spread_of(small: float, large: float) -> float:
    """The formula above, written so that no digits cancel near 1."""
    successes, failures = small - 1.0, large - 1.0
    if successes <= 0.0:
        return 1.0
    return np.sqrt(1.0 + 2.0 * successes * failures / (successes + failures))


@compiled
def beta(rng: Rng, draw: int, a: float, b: float) -> float:
    """One number of Beta(a, b), for a, b >= 1."""
    small, large = min(a, b), max(a, b)
    total = a + b
    spread = spread_of(small, large)
    bits = random_bits(rng, draw)
    for _ in range(MOST_ATTEMPTS):
        u = inner_uniform(bits)
        bits = squares(bits, rng.key)
        v = inner_uniform(bits)
        bits = squares(bits, rng.key)
        y = np.log(u / (1.0 - u)) / spread
        # In terms of w - small no digits cancel, however large a and b are.
        gain = (small + spread) * y - LOG_4 - total * np.log1p(small * np.expm1(y) / total)
        if gain >= np.log(u * u * v):
            w = small * np.exp(y)
            return w / (large + w) if a <= b else large / (large + w)
    return a / total
