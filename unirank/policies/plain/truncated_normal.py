"""The normal distribution truncated to [0, 1], from the error function of the standard library.

Newton's method inverts the distribution function from the middle: the tail above z > 0 is convex,
so the steps never go past the root. `policies/kernels/truncated_normal.py` is the compiled edition.
"""

from math import erf, erfc, exp, pi, sqrt


def between_0_and(z: float) -> float:
    return erf(z / sqrt(2)) / 2


def above(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def density(z: float) -> float:
    return exp(-(z**2) / 2) / sqrt(2 * pi)


def mass(x: float, sigma: float) -> float:
    """Z(x) = Phi((1 - x) / sigma) - Phi(-x / sigma)."""
    return between_0_and((1 - x) / sigma) + between_0_and(x / sigma)


def draw(x: float, sigma: float, u: float) -> float:
    """Return x' in [0, 1] such that a share u of the mass within [0, 1] lies below it."""
    below = u * mass(x, sigma)
    from_x = below - between_0_and(x / sigma)
    if from_x < 0:
        z = -_solve(-from_x, above(x / sigma) + below)
    else:
        z = _solve(from_x, above((1 - x) / sigma) + (1 - u) * mass(x, sigma))
    return min(max(x + sigma * z, 0.0), 1.0)


def _solve(near: float, far: float) -> float:
    """Return z >= 0 with mass `near` between 0 and z, and `far` = 1/2 - near beyond it."""
    z = 0.0
    for _ in range(200):
        missing = near - between_0_and(z) if near < 0.3 else above(z) - far
        step = missing / density(z)
        z += step
        if abs(step) <= 1e-15 * z:
            break
    return z
