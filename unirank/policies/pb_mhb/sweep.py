"""PB-MHB's sweep: one Metropolis-Hastings proposal per coordinate.

A proposal x' is accepted if what it gains (`likelihood.py`) is enough:

    gain + ln(Z(x) / Z(x'))  >=  ln(1 - u)

Most proposals are rejected by windows (`windows.py`) before they are computed. Most of the others
that must be rejected are rejected by a bound that needs no logarithm, and 1/2 < Z(x) / Z(x') < 2. A
proposal of 0 or 1, which only rounding could make, is rejected.
"""

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.policies.kernels.truncated_normal import draw_around, mass_inside
from unirank.policies.pb_mhb.likelihood import Side, gained, most_gained, most_log_ratio
from unirank.policies.pb_mhb.state import SMALLEST, State
from unirank.policies.pb_mhb.windows import after_move, find_window

LN_2 = 0.7  # ln(2) and a margin for rounding errors of sums up to 1e12


@compiled
def items_of(state: State) -> Side:
    clicks, refused = state.item_clicks, state.refused
    return Side(state.theta, 0, state.kappa, clicks, refused, state.item_windows)


@compiled
def positions_of(state: State) -> Side:
    clicks, refused = state.position_clicks, state.refused_by_position
    return Side(state.kappa, 1, state.theta, clicks, refused, state.position_windows)


@compiled
def scatter(state: State, rng: Rng) -> None:
    """Draw a uniformly random particle."""
    n_items = state.theta.size
    for item in range(n_items):
        state.theta[item] = max(uniform(rng, item), 2.0**-54)
    for position in range(1, state.kappa.size):
        state.kappa[position] = max(uniform(rng, n_items + position), 2.0**-54)
    state.now[0].ordered = False


@compiled
def sweep(state: State, rng: Rng, sigma: float, draw: int) -> None:
    """Propose once for each attraction, then for each examination but the first."""
    items, positions = items_of(state), positions_of(state)
    walk(items, positions, state, rng, sigma, draw)
    walk(positions, items, state, rng, sigma, draw + state.theta.size)


@compiled
def walk(side: Side, other: Side, state: State, rng: Rng, sigma: float, draw: int) -> None:
    """Propose for each coordinate of one side; they are independent of each other."""
    rounds, mass = state.now[0].rounds, state.mass
    n = 0
    for place in range(side.first, side.x.size):
        u, window = uniform(rng, draw + place), side.windows[place]
        if rounds > window.until or abs(u - window.middle) <= window.half:
            state.places[n] = place
            state.centres[n] = side.x[place]
            state.proposed[n] = u
            n += 1
    draw_around(state.centres, n, sigma, state.proposed, mass, state.tails)
    draw += state.theta.size + state.kappa.size
    for slot in range(n):
        place, new, old = state.places[slot], state.proposed[slot], state.centres[slot]
        window = side.windows[place]
        if accepts(side, place, new, mass[slot], sigma, 1.0 - uniform(rng, draw + place)):
            side.x[place] = new
            window.until = 0
            after_move(other, place, old)
            state.now[0].ordered = False
        elif rounds > window.until and state.window_rounds > 0:
            find_window(side, place, state, sigma, mass[slot])


@compiled
def accepts(side: Side, place: int, new: float, mass: float, sigma: float, chance: float) -> bool:
    """Whether x becomes `new`, if a random number below the acceptance probability is `chance`."""
    if not SMALLEST < new < 1.0:
        return False
    if most_gained(side, place, new) + most_log_ratio(chance, 1.0) < -LN_2:
        return False
    threshold = np.log(chance)
    gain = gained(side, place, new)
    if abs(gain - threshold) <= LN_2:
        gain += np.log(np.divide(mass, mass_inside(new, 1.0 / sigma)))
    return gain >= threshold
