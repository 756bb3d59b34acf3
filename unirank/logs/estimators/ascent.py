"""Coordinate ascent to the maximum likelihood of PBM and UBM, one parameter at a time.

In x = log attraction and y = log examination the log-likelihood is concave,

    sum over rows of  clicks (x + y) + skips log(1 - exp(x + y)),

so if both factors are at most 1 (a box, in the logarithms), a point that no single parameter can
improve is the global maximum. Without that bound, the product of an item and a cell that were seen
together is still at most 1. The maximum along one parameter is where

    clicks = sum over its rows of  skips p / (1 - p),     p = attraction * examination,

found by Newton's method in the logarithm, kept inside an interval that contains it. A prior adds
one row of `prior` clicks and `prior` skips with the other factor at 1.

Sweeps over all parameters converge linearly, often slowly. After every two sweeps the parameters
are extrapolated (SQUAREM: Varadhan and Roland, "Simple and globally convergent methods
for accelerating the convergence of any EM algorithm", Scandinavian Journal of Statistics 2008); the
extrapolation is undone unless the likelihood increases. EM reaches the same maximum in many more
steps, and cannot leave a border.
"""

from math import exp, inf, log, sqrt

from unirank.logs.estimators.bernoulli import UNSEEN
from unirank.logs.estimators.products import Factor, Floats, Products, value
from unirank.policies.kernels.compiling import compiled

MOST_STEPS = 60  # of Newton's method or of halving the interval
PRECISION = 1e-13


@compiled
def slopes(
    side: Factor, other: Factor, skips: Floats, prior: float, n: int, chance: float
) -> tuple[float, float]:
    """Sum over the rows of parameter `n` of skips p / (1 - p), and its derivative by log chance."""
    first = second = 0.0
    for place in range(side.first[n], side.first[n + 1] + 1):
        own = place == side.first[n + 1]  # the row of the prior comes after the others
        row = side.order[place] if not own else 0
        p = chance * (1.0 if own else other.chance[other.of_row[row]])
        weight = prior if own else skips[row]
        if weight > 0.0 and p > 0.0:
            if p >= 1.0:
                return inf, inf
            first += weight * p / (1.0 - p)
            second += weight * p / (1.0 - p) ** 2
    return first, second


@compiled
def best_chance(state: Products, side: Factor, other: Factor, n: int) -> float:
    """Return the maximum along parameter `n` of one side, all others fixed."""
    clicks = state.prior
    highest = state.most
    for place in range(side.first[n], side.first[n + 1]):
        row = side.order[place]
        clicks += state.clicks[row]
        partner = other.chance[other.of_row[row]]
        if partner > 0.0:
            highest = min(highest, 1.0 / partner)
    if clicks <= 0.0:
        return 0.0 if side.impressions[n] > 0.0 else UNSEEN
    if slopes(side, other, state.skips, state.prior, n, highest)[0] <= clicks:
        return highest
    low, high, chance = 0.0, highest, side.chance[n]
    if not low < chance < high:
        chance = 0.5 * high
    for _ in range(MOST_STEPS):
        first, second = slopes(side, other, state.skips, state.prior, n, chance)
        if abs(clicks - first) <= PRECISION * clicks:
            break
        if first < clicks:
            low = chance
        else:
            high = chance
        chance = chance * exp((clicks - first) / second) if second > 0.0 else high
        if not low < chance < high:
            chance = 0.5 * (low + high)
    return chance


@compiled
def sweep(state: Products) -> None:
    """Maximise every item given the cells, then every cell given the items."""
    attraction, examination = state.attraction, state.examination
    for side, other in ((attraction, examination), (examination, attraction)):
        for n in range(side.chance.size):
            side.chance[n] = best_chance(state, side, other, n)


@compiled
def keep(state: Products, point: int) -> None:
    for side in (state.attraction, state.examination):
        for n in range(side.chance.size):
            side.earlier[point, n] = side.chance[n]


@compiled
def leap_length(state: Products) -> float:
    """|first move| / |change from the first move to the second|, in logarithms."""
    moved = turned = 0.0
    for side in (state.attraction, state.examination):
        for n in range(side.chance.size):
            if side.earlier[0, n] > 0.0 and side.chance[n] > 0.0:
                first = log(side.earlier[1, n] / side.earlier[0, n])
                second = log(side.chance[n] / side.earlier[1, n])
                moved += first**2
                turned += (second - first) ** 2
    return sqrt(moved / turned) if turned > 0.0 else 1.0


@compiled
def leap(state: Products, length: float) -> None:
    """Go to x0 + 2 length (x1 - x0) + length^2 (x2 - 2 x1 + x0); keep x2 in place of x0."""
    for side in (state.attraction, state.examination):
        for n in range(side.chance.size):
            start, last = side.earlier[0, n], side.chance[n]
            side.earlier[0, n] = last
            if start > 0.0 and last > 0.0:
                first = log(side.earlier[1, n] / start)
                turn = log(last / side.earlier[1, n]) - first
                far = start * exp(2.0 * length * first + length**2 * turn)
                side.chance[n] = min(far, state.most)


@compiled
def improve(state: Products) -> None:
    """Two sweeps, then an extrapolation if it increases the likelihood."""
    for point in range(2):
        keep(state, point)
        sweep(state)
    length = leap_length(state)
    if length <= 1.0:
        return  # an extrapolation this short ends before the second sweep did
    height = value(state)
    leap(state, length)
    if not value(state) > height:
        for side in (state.attraction, state.examination):
            for n in range(side.chance.size):
                side.chance[n] = side.earlier[0, n]
