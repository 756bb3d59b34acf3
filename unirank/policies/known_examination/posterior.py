"""Exact samples of an attraction, given clicks of a position-based model.

With S clicks, N_k displays at position k of which M_k brought no click, and examination kappa_k,
the density of the attraction x on [0, 1] is proportional to x^S prod_k (1 - kappa_k x)^M_k. Its
logarithm is concave, so it lies below each of its tangents. Relative to its value at a point m:

    f(x) = S ln(x/m) + sum_k M_k ln((1 - kappa_k x) / (1 - kappa_k m))

m is the mode: 0 if S = 0; 1 if f still rises there; else m = 1/tau, where

    R(tau) = S,   R(tau) = sum_k M_k kappa_k / (tau - kappa_k).

1/R is concave, so Newton's method on it climbs to the root from any point below it. Such points are
the root if all M_k kappa_k had their mean kappa, and the root if only the largest kappa counted. It
stops when the slope of f is below 1/1000 of a standard deviation: m need not be the exact mode.

The envelope is a cap C >= max f between two tails, the tangents of f at x_l < m < x_r, where f is
about 1 lower: a step of 2 / (d + sqrt(d^2 + 2 h)) away, d = |f'(m)|, h = -f''(m), measured on the
scale of ln x to the left and of ln(1 - kappa x), for the largest kappa, to the right.

    C = d max(m - x_l, x_r - m), almost 0;   0 if m is 0 or 1

An attempt takes two numbers: u for x below the envelope, v to accept it if ln v <= f(x) - envelope.
More than 0.8 of the attempts are accepted, as measured over all sorts of counts; even with half of
them, MOST_ATTEMPTS, after which m is returned, would be reached with probability below 1e-30. The
numbers of a sample are chained like those of `kernels/beta.py`.
`policies/plain/posterior.py` is the edition to read first.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, inner_uniform, random_bits, squares

MOST_ATTEMPTS = 100
MOST_STEPS = 60
TOLERANCE = 1e-6  # on the square of the slope at the mode, in standard deviations

ENVELOPE = np.dtype(
    [
        ("mode", np.float64),
        ("cap", np.float64),
        ("left_share", np.float64),  # of the area below the envelope
        ("right_share", np.float64),
        ("left_end", np.float64),  # where the tail meets the cap
        ("left_slope", np.float64),
        ("left_height", np.float64),  # of the tail at its end
        ("left_mass", np.float64),  # of a unit exponential, inside [0, 1]
        ("right_end", np.float64),
        ("right_slope", np.float64),
        ("right_height", np.float64),
        ("right_mass", np.float64),
    ]
)


class Counts(NamedTuple):
    """The counts of one item, and the examination of the positions."""

    clicks: int  # S
    refused: NDArray[np.int64]  # (n_positions,) M
    examination: NDArray[np.float64]  # (n_positions,)


@compiled
def mode_of(counts: Counts) -> float:
    """Return m: 0, 1, or a point where the slope of f is almost 0."""
    refused, examination, clicks = counts.refused, counts.examination, float(counts.clicks)
    weight = moment = first = top = 0.0
    for position in range(refused.size):
        if refused[position] > 0:
            looks = examination[position]
            weight += refused[position] * looks
            moment += refused[position] * looks * looks
            if top == 0.0:  # positions are by decreasing examination
                top, first = looks, refused[position] * looks
    if counts.clicks == 0:
        return 0.0
    if top == 0.0:
        return 1.0
    # In terms of tau - top no digits cancel, however close the mode is to 1.
    past_top = max(moment / weight - top + weight / clicks, first / clicks)
    at_one = past_top <= 1.0 - top
    past_top = max(past_top, 1.0 - top)
    for _ in range(MOST_STEPS):
        total = steepness = 0.0
        for position in range(refused.size):
            if refused[position] > 0:
                part = 1.0 / (past_top + (top - examination[position]))
                total += refused[position] * examination[position] * part
                steepness += refused[position] * examination[position] * part * part
        if at_one and total <= clicks:
            return 1.0
        at_one = False
        excess = total - clicks
        if excess * excess <= TOLERANCE * steepness * (top + past_top):
            break
        past_top += total * excess / (clicks * steepness)
    return min(1.0 / (top + past_top), 1.0)


@compiled
def slope_at(counts: Counts, x: float) -> float:
    """Return f'(x)."""
    slope = counts.clicks / x if counts.clicks > 0 else 0.0
    for position in range(counts.refused.size):
        if counts.refused[position] > 0:
            looks = counts.examination[position]
            slope -= counts.refused[position] * looks / (1.0 - looks * x)
    return slope


@compiled
def bend_at(counts: Counts, x: float) -> float:
    """Return -f''(x)."""
    bend = counts.clicks / x / x if counts.clicks > 0 else 0.0
    for position in range(counts.refused.size):
        if counts.refused[position] > 0:
            ratio = counts.examination[position] / (1.0 - counts.examination[position] * x)
            bend += counts.refused[position] * ratio * ratio
    return bend


@compiled
def log_density(counts: Counts, mode: float, x: float) -> float:
    """Return f(x), without loss of digits near the mode."""
    away = x - mode
    value = counts.clicks * np.log1p(away / mode) if counts.clicks > 0 else 0.0
    for position in range(counts.refused.size):
        if counts.refused[position] > 0:
            looks = counts.examination[position]
            value += counts.refused[position] * np.log1p(-looks * away / (1.0 - looks * mode))
    return value


@compiled
def largest_examination(counts: Counts) -> float:
    """Return the largest kappa of the positions with M > 0; 0 if there is none."""
    for position in range(counts.refused.size):
        if counts.refused[position] > 0:
            return counts.examination[position]
    return 0.0


@compiled
def touch(counts: Counts, mode: float) -> tuple[float, float, float]:
    """Return x_l, x_r and the cap; 0 and 1 stand for a side without a tail."""
    slope, bend = abs(slope_at(counts, mode)), bend_at(counts, mode)
    left, right, cap = 0.0, 1.0, 0.0
    if slope + bend > 0.0:
        step = 2.0 / (slope + np.sqrt(slope * slope + 2.0 * bend))
        if mode > 0.0:
            left = mode + mode * np.expm1(-step / mode)
        if mode < 1.0:
            looks = largest_examination(counts)
            gap = (1.0 - looks * mode) / looks
            right = min(mode - gap * np.expm1(-step / gap), 1.0)
            if mode > 0.0:
                cap = slope * max(mode - left, right - mode)
    return left, right, cap


@compiled
def build(counts: Counts, envelope: Any) -> None:
    """Fill in the envelope for these counts."""
    mode = mode_of(counts)
    x_left, x_right, cap = touch(counts, mode)
    envelope.mode, envelope.cap = mode, cap
    left = right = 0.0
    envelope.left_end, envelope.right_end = 0.0, 1.0
    if mode > 0.0:
        value, slope = log_density(counts, mode, x_left), slope_at(counts, x_left)
        end = min(x_left + (cap - value) / slope, mode)
        envelope.left_end, envelope.left_slope = end, slope
        envelope.left_height = value + slope * (end - x_left)
        envelope.left_mass = -np.expm1(-slope * end)
        left = np.exp(envelope.left_height) * envelope.left_mass / slope
    slope = -slope_at(counts, x_right) if mode < 1.0 else 0.0
    if slope > 0.0:
        value = log_density(counts, mode, x_right)
        end = max(x_right - (cap - value) / slope, mode)
        envelope.right_end, envelope.right_slope = end, slope
        envelope.right_height = value + slope * (x_right - end)
        envelope.right_mass = -np.expm1(-slope * (1.0 - end))
        right = np.exp(envelope.right_height) * envelope.right_mass / slope
    area = left + np.exp(cap) * (envelope.right_end - envelope.left_end) + right
    envelope.left_share, envelope.right_share = left / area, right / area


@compiled
def sample(rng: Rng, draw: int, counts: Counts, envelope: Any) -> float:
    """Return one number with the density of these counts, whose envelope was built."""
    below_right = 1.0 - envelope.right_share
    bits = random_bits(rng, draw)
    for _ in range(MOST_ATTEMPTS):
        u = inner_uniform(bits)
        bits = squares(bits, rng.key)
        v = inner_uniform(bits)
        bits = squares(bits, rng.key)
        if u < envelope.left_share:
            fall = np.log1p(-u / envelope.left_share * envelope.left_mass)
            x = max(envelope.left_end + fall / envelope.left_slope, 0.0)
            bar = np.log(v) + envelope.left_height + fall
        elif u < below_right:
            part = (u - envelope.left_share) / (below_right - envelope.left_share)
            x = envelope.left_end + part * (envelope.right_end - envelope.left_end)
            bar = np.log(v) + envelope.cap
        else:
            fall = np.log1p((below_right - u) / envelope.right_share * envelope.right_mass)
            x = min(envelope.right_end - fall / envelope.right_slope, 1.0)
            bar = np.log(v) + envelope.right_height + fall
        if bar <= log_density(counts, envelope.mode, x):
            return x
    return envelope.mode
