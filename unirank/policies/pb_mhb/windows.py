"""Windows: which random numbers can propose a value that is accepted.

Late in a game nearly all proposals are far from what the counts allow. The gain of a proposal
(`likelihood.py`) is a concave function of it, and 0 at x. So if the gain at a point `over` > x is
below CERTAIN, no proposal above `over` is accepted, whatever the random number that decides; the
same holds below a point `under` < x. A proposal is an increasing function of its random number u,
which is compared with the shares of the normal distribution below `under` and `over`: most
proposals are rejected by two comparisons, and never computed.

A window holds until one of these happens:

    x moves                 the window is opened: every proposal is computed
    a click                 adds `hit` = ln(over / x) to the gain at `over`, less than 0 at `under`
    no click, at y          adds ln((1 - under y) / (1 - x y)) <= (x - under) y / (1 - x y) to the
                            gain at `under`, less than 0 at `over`
    y moves                 adds at most |x - end| f |y' - y| / ((1 - end y)(1 - x y)), with the
                            larger y, at `over` if y falls and at `under` if it grows
    n rounds pass           sigma shrinks. The share F of [0, end] changes by

        dF / d ln sigma = Cov(1[0, end], t^2),  t = (x' - x) / sigma,  |Cov| <= 1 / (4 sigma^2)

                            so with sigma = step / sqrt(round) by at most n / (8 step^2), which the
                            window is made wider by

What is added is taken from the room at the end, the distance of its gain from CERTAIN, and the
window is opened when no room is left.
"""

from typing import Any

import numpy as np

from unirank.policies.kernels.compiling import compiled, compiled_reordering
from unirank.policies.kernels.normal import half_cdf
from unirank.policies.pb_mhb.likelihood import Side, most_gained_by_refusals
from unirank.policies.pb_mhb.state import State

# The smallest random number that decides is 2^-53, its logarithm -36.8, and the masses of two
# normal distributions differ by at most ln 2; the rest is for rounding errors.
CERTAIN = -38.0
LEVEL = 60.0  # a window ends about where the gain is -LEVEL
LEAST_ROOM = 5.0
N_WIDENINGS = 12


@compiled
def find_window(side: Side, place: int, state: State, sigma: float, mass: float) -> None:
    """Set the window of one coordinate; `mass` is that of the normal around it, within [0, 1]."""
    x, window = side.x[place], side.windows[place]
    # A parabola with the slope and the bend of the gain at x falls to -LEVEL at these distances.
    slope, bend = slope_at(side, place), bend_at(side, place)
    root = np.sqrt(slope * slope + 2.0 * LEVEL * bend)
    window.over, window.room_over = widened(side, place, np.divide(slope + root, bend))
    window.under, window.room_under = widened(side, place, np.divide(slope - root, bend))
    window.hit = np.log(np.divide(window.over, x))
    precision = 1.0 / sigma
    drift = state.window_rounds / (8.0 * state.step * state.step) + 1e-9
    below = half_cdf(x * precision)
    low = (below - half_cdf((x - window.under) * precision)) / mass
    high = (below + half_cdf((window.over - x) * precision)) / mass
    window.middle, window.half = 0.5 * (low + high), 0.5 * (high - low) + drift
    window.until = state.now[0].rounds + state.window_rounds


@compiled
def widened(side: Side, place: int, distance: float) -> tuple[float, float]:
    """Return an end of the window, at this distance or further, and the room there."""
    x = side.x[place]
    for _ in range(N_WIDENINGS):
        end = x + distance
        if not 0.0 < end < 1.0:
            break
        gain = side.clicks[place] * np.log(np.divide(end, x))
        gain += most_gained_by_refusals(side, place, end)
        if CERTAIN - gain >= LEAST_ROOM:
            return end, CERTAIN - gain
        distance *= 2.0
    return 1.0 if distance > 0.0 else 0.0, np.inf  # nothing is proposed beyond


@compiled_reordering
def slope_at(side: Side, place: int) -> float:
    x, y = side.x[place], side.y
    slope: float = np.divide(side.clicks[place], x)
    for other in range(y.size):
        slope -= np.divide(side.refused[place, other] * y[other], 1.0 - x * y[other])
    return slope


@compiled_reordering
def bend_at(side: Side, place: int) -> float:
    """Return the second derivative of the gain at x, less its sign."""
    x, y = side.x[place], side.y
    bend: float = np.divide(side.clicks[place], x * x)
    for other in range(y.size):
        share = np.divide(y[other], 1.0 - x * y[other])
        bend += side.refused[place, other] * share * share
    return bend


@compiled
def after_click(window: Any) -> None:
    window.room_over -= window.hit
    if window.room_over < 0.0:
        window.until = 0


@compiled
def after_refusal(window: Any, x: float, share: float) -> None:
    """Record a display without a click; `share` is y / (1 - x y)."""
    window.room_under -= (x - window.under) * share
    if window.room_under < 0.0:
        window.until = 0


@compiled
def after_move(side: Side, other: int, old: float) -> None:
    """Record that y[other] has moved, from `old`, in all windows of this side."""
    new = side.y[other]
    for place in range(side.first, side.x.size):
        x, window = side.x[place], side.windows[place]
        weight = side.refused[place, other] * abs(new - old)
        if new < old:
            slope = np.divide(window.over - x, (1.0 - window.over * old) * (1.0 - x * old))
            window.room_over -= weight * slope
        else:
            slope = np.divide(x - window.under, (1.0 - window.under * new) * (1.0 - x * new))
            window.room_under -= weight * slope
        if not min(window.room_over, window.room_under) >= 0.0:
            window.until = 0
