"""Exact samples of an attraction, given clicks of a position-based model.

The density of the attraction x is proportional to x^S prod_k (1 - kappa_k x)^M_k. Its logarithm f,
taken relative to the mode m, is concave, so it lies below its tangents. The sampler rejects from an
envelope of three pieces: a flat cap around the mode and the tangents at one point on each side.
`unirank/policies/known_examination/posterior.py` derives the formulas and is the compiled edition.
"""

from collections.abc import Sequence
from math import exp, expm1, log, sqrt

from unirank.policies.base.round_rng import Draws

Refusals = Sequence[tuple[int, float]]  # (M, kappa) of every position with M > 0


def f(clicks: int, refusals: Refusals, m: float, x: float) -> float:
    """Return the logarithm of the density at x over that at m."""
    value = sum(M * (log(1 - kappa * x) - log(1 - kappa * m)) for M, kappa in refusals)
    return value + clicks * (log(x) - log(m)) if clicks else value


def slope(clicks: int, refusals: Refusals, x: float) -> float:
    """Return f'(x)."""
    value = -sum(M * kappa / (1 - kappa * x) for M, kappa in refusals)
    return value + clicks / x if clicks else value


def bend(clicks: int, refusals: Refusals, x: float) -> float:
    """Return -f''(x)."""
    value = sum(M * (kappa / (1 - kappa * x)) ** 2 for M, kappa in refusals)
    return value + clicks / x**2 if clicks else value


def find_mode(clicks: int, refusals: Refusals) -> float:
    """Return where the density is largest, by Newton's method on tau = 1 / m."""
    if clicks == 0:
        return 0.0
    top = max((kappa for _, kappa in refusals), default=0.0)
    if top == 0 or (top < 1 and slope(clicks, refusals, 1.0) >= 0):
        return 1.0
    weight = sum(M * kappa for M, kappa in refusals)
    mean = sum(M * kappa * kappa for M, kappa in refusals) / weight
    at_top = sum(M * kappa for M, kappa in refusals[:1])
    tau = max(mean + weight / clicks, top + at_top / clicks, 1.0)
    for _ in range(60):
        total = sum(M * kappa / (tau - kappa) for M, kappa in refusals)
        steepness = sum(M * kappa / (tau - kappa) ** 2 for M, kappa in refusals)
        if (total - clicks) ** 2 <= 1e-6 * steepness * tau:
            break
        tau += (1 / clicks - 1 / total) * total**2 / steepness
    return 1 / tau


def sample(clicks: int, refusals: Refusals, draws: Draws, draw: int) -> float:
    """Return a number with the density; the random numbers it reads start at `draw`."""
    m = find_mode(clicks, refusals)
    d, h = abs(slope(clicks, refusals, m)), bend(clicks, refusals, m)
    step = 2 / (d + sqrt(d * d + 2 * h)) if d + h > 0 else 0.0
    cap, x_left, x_right = 0.0, 0.0, 1.0
    if m > 0:
        x_left = m * exp(-step / m)
    if m < 1 and refusals:
        kappa = refusals[0][1]
        y = (1 - kappa * m) * exp(-kappa * step / (1 - kappa * m))
        x_right = min((1 - y) / kappa, 1.0)
    if 0 < m < 1:
        cap = d * max(m - x_left, x_right - m)

    # Three pieces: area, and the height and slope of the tangent where it meets the cap.
    left_end, left_area, left_slope, left_height = 0.0, 0.0, 1.0, cap
    if m > 0:
        left_slope, value = slope(clicks, refusals, x_left), f(clicks, refusals, m, x_left)
        left_end = min(x_left + (cap - value) / left_slope, m)
        left_height = value + left_slope * (left_end - x_left)
        left_area = exp(left_height) * (1 - exp(-left_slope * left_end)) / left_slope
    right_end, right_area, right_slope, right_height = 1.0, 0.0, 1.0, cap
    if m < 1 and refusals:
        right_slope, value = -slope(clicks, refusals, x_right), f(clicks, refusals, m, x_right)
        right_end = max(x_right - (cap - value) / right_slope, m)
        right_height = value + right_slope * (x_right - right_end)
        right_area = exp(right_height) * -expm1(-right_slope * (1 - right_end)) / right_slope
    cap_area = exp(cap) * (right_end - left_end)
    area = left_area + cap_area + right_area

    bits = draws.bits(draw)
    for _ in range(100):
        place = draws.inner(bits) * area
        bits = draws.after(bits)
        v = draws.inner(bits)
        bits = draws.after(bits)
        if place < left_area:
            within = 1 - place / left_area * (1 - exp(-left_slope * left_end))
            x = left_end + log(within) / left_slope
            envelope = left_height - left_slope * (left_end - x)
        elif place < left_area + cap_area:
            x = left_end + (place - left_area) / cap_area * (right_end - left_end)
            envelope = cap
        else:
            rest = (place - left_area - cap_area) / right_area
            x = right_end - log(1 + rest * expm1(-right_slope * (1 - right_end))) / right_slope
            envelope = right_height - right_slope * (x - right_end)
        if log(v) <= f(clicks, refusals, m, x) - envelope:
            return x
    return m  # reached with probability below 1e-30
