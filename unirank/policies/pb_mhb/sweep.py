"""PB-MHB's sweep: one Metropolis-Hastings proposal per coordinate.

For a coordinate x whose row (or column) has clicks s, refusals f and other factors y, a proposal x'
is accepted if

    S ln(x' / x) + sum f ln((1 - x' y) / (1 - x y)) + ln(Z(x) / Z(x'))  >=  ln(1 - u),   S = sum s

The factors y of a click cancel, so only S is kept of the clicks. Most proposals to be rejected are
rejected by a bound that needs no logarithm, one vectorised division per cell:

    ln(b / a) <= (b - a)(b + 5 a) / (a (2 a + 4 b))     for all a, b > 0, equal to third order
    1/2 < Z(x) / Z(x') < 2

A proposal of 0 or 1, which only rounding could make, is rejected.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled, compiled_reordering
from unirank.kernels.randomness import Rng, uniform
from unirank.kernels.truncated_normal import draw_around, mass_inside
from unirank.policies.pb_mhb.state import SMALLEST, State

LN_2 = 0.7  # ln(2) and a margin for rounding errors of sums up to 1e12


class Side(NamedTuple):
    """The attractions, or the examinations, with the counts that belong to them."""

    x: NDArray[np.float64]
    first: int  # coordinates before it are fixed
    y: NDArray[np.float64]  # the other side
    clicks: NDArray[np.float64]  # (x,)
    refused: NDArray[np.float64]  # (x, y)


@compiled
def scatter(state: State, rng: Rng) -> None:
    """Draw a uniformly random particle."""
    n_items = state.theta.size
    for item in range(n_items):
        state.theta[item] = max(uniform(rng, item), 2.0**-54)
    for position in range(1, state.kappa.size):
        state.kappa[position] = max(uniform(rng, n_items + position), 2.0**-54)


@compiled
def sweep(state: State, rng: Rng, sigma: float, draw: int) -> None:
    """Propose once for each attraction, then for each examination but the first."""
    theta, kappa = state.theta, state.kappa
    items = Side(theta, 0, kappa, state.item_clicks, state.refused)
    walk(items, state, rng, sigma, draw)
    positions = Side(kappa, 1, theta, state.position_clicks, state.refused_by_position)
    walk(positions, state, rng, sigma, draw + theta.size)


@compiled
def walk(side: Side, state: State, rng: Rng, sigma: float, draw: int) -> None:
    """Propose for each coordinate of one side; they are independent of each other."""
    x, proposed, mass = side.x, state.proposed, state.mass
    for place in range(side.first, x.size):
        proposed[place] = uniform(rng, draw + place)
    draw_around(x, side.first, sigma, proposed, mass, state.tails)
    draw += state.theta.size + state.kappa.size
    for place in range(side.first, x.size):
        new = proposed[place]
        if not SMALLEST < new < 1.0:
            continue
        chance = 1.0 - uniform(rng, draw + place)
        if most_gained(side, place, new) + most_log_ratio(chance, 1.0) < -LN_2:
            continue
        threshold = np.log(chance)
        gain = gained(side, place, new)
        if abs(gain - threshold) <= LN_2:
            gain += np.log(np.divide(mass[place], mass_inside(new, 1.0 / sigma)))
        if gain >= threshold:
            x[place] = new


@compiled_reordering
def most_gained(side: Side, place: int, new: float) -> float:
    """Return an upper bound of `gained`, but for rounding."""
    x, y = side.x[place], side.y
    most = side.clicks[place] * most_log_ratio(x, new)
    for other in range(y.size):
        a, b = 1.0 - x * y[other], 1.0 - new * y[other]
        most += side.refused[place, other] * most_log_ratio(a, b)
    return most


@compiled_reordering
def most_log_ratio(a: float, b: float) -> float:
    """Return an upper bound of ln(b / a)."""
    ratio: float = np.divide((b - a) * (b + 5.0 * a), a * (2.0 * a + 4.0 * b))
    return ratio


@compiled
def gained(side: Side, place: int, new: float) -> float:
    """Return the log-likelihood with `new` in this place, less that with x."""
    x, y = side.x[place], side.y
    gain = side.clicks[place] * np.log(np.divide(new, x))
    for other in range(y.size):
        a, b = 1.0 - x * y[other], 1.0 - new * y[other]
        gain += side.refused[place, other] * np.log(np.divide(b, a))
    return gain
