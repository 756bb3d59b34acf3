"""The normal distribution around x in [0, 1], truncated to [0, 1]: draws and mass.

A draw inverts the distribution function, so it takes one random number for any width. Zero lies
between the bounds -x / sigma and (1 - x) / sigma, so with D(z) = Phi(z) - 1/2, odd,

    Z(x) = D(x / sigma) + D((1 - x) / sigma)
    x'   = x + sigma D^-1(q),   q = u Z(x) - D(x / sigma)

keep their digits however wide the normal is: D(z) tends to z / sqrt(2 pi), and x' to u. Where q is
close to -1/2 or 1/2, the tail beyond it is a sum of two positive numbers, and that is inverted.
Many numbers are drawn together, so that the inverse, without a branch, is vectorised.
`policies/plain/truncated_normal.py` is the edition to read first.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.normal import (
    CENTRE,
    half_cdf,
    inverse_half_cdf,
    inverse_upper_tail,
    upper_tail,
)


@compiled
def mass_inside(x: float, precision: float) -> float:
    """Return Z(x), the mass within [0, 1] of the normal around x of width 1 / precision."""
    return half_cdf(x * precision) + half_cdf((1.0 - x) * precision)


@compiled
def draw_around(
    x: NDArray[np.float64],
    n: int,
    sigma: float,
    drawn: NDArray[np.float64],  # in: uniform numbers u; out: x'
    mass: NDArray[np.float64],  # out: Z(x)
    tails: NDArray[np.float64],  # scratch
) -> None:
    """Draw one number around each of the first n of x."""
    precision = 1.0 / sigma
    for place in range(n):
        u, low, high = drawn[place], x[place] * precision, (1.0 - x[place]) * precision
        below = half_cdf(low)
        inside = below + half_cdf(high)
        q, tail = u * inside - below, 0.0
        if q < -CENTRE:
            q, tail = 0.0, -inverse_upper_tail(upper_tail(low) + u * inside)
        elif q > CENTRE:
            q, tail = 0.0, inverse_upper_tail(upper_tail(high) + (1.0 - u) * inside)
        drawn[place], mass[place], tails[place] = q, inside, tail
    for place in range(n):
        drawn[place] = inverse_half_cdf(drawn[place])
    for place in range(n):
        z = drawn[place] + tails[place]
        drawn[place] = min(max(x[place] + sigma * z, 0.0), 1.0)
