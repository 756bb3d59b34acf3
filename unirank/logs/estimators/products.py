"""EM for click probabilities that are products: attraction of an item, examination of a cell.

One row holds the impressions of one item in one cell: a position (PBM), or a position and the last
click above it (UBM). With a and e the attraction and examination of a row,

    P(attractive | not clicked) = a (1 - e) / (1 - a e)
    P(examined   | not clicked) = e (1 - a) / (1 - a e)

and a new parameter is the mean of these probabilities over its impressions. Only the products are
identified: halving attraction and doubling examination leaves the likelihood unchanged.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators.bernoulli import log_prior, log_share, share, totals
from unirank.policies.kernels.compiling import compiled

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


ROUNDING = 1e-12


class Factor(NamedTuple):
    """One side of the product: a parameter per item, or per cell."""

    chance: Floats  # the parameters
    impressions: Floats  # of each
    expected: Floats  # scratch: expected number of impressions that were attractive, or examined
    of_row: Integers  # (n_rows,) index of the parameter of each row
    order: Integers  # (n_rows,) rows sorted by `of_row`
    first: Integers  # (n + 1,) where in `order` the rows of each begin
    earlier: Floats  # (2, n) scratch: parameters of two earlier points of an ascent


class Products(NamedTuple):
    attraction: Factor
    examination: Factor
    clicks: Floats  # (n_rows,)
    skips: Floats  # (n_rows,) impressions without a click
    prior: float
    most: float  # largest value of a parameter: 1, or infinite


def factor(of_row: Integers, impressions: Integers, n: int) -> Factor:
    """Allocate one side of the product, with `n` parameters."""
    of_row = np.ascontiguousarray(of_row, np.int64)  # a single memory layout is compiled once
    order = np.argsort(of_row, kind="stable")
    return Factor(
        np.zeros(n),
        totals(of_row, impressions, n),
        np.zeros(n),
        of_row,
        order,
        np.searchsorted(of_row[order], np.arange(n + 1)),
        np.zeros((2, n)),
    )


@compiled
def value(state: Products) -> float:
    """Return the log-likelihood; fill `expected` for `improve`."""
    attraction, examination = state.attraction, state.examination
    total = 0.0
    for side in (attraction, examination):
        for n in range(side.chance.size):
            side.expected[n] = 0.0
            total += log_prior(side.chance[n], state.prior)
    for row in range(state.clicks.size):
        i, c = attraction.of_row[row], examination.of_row[row]
        a, e = attraction.chance[i], examination.chance[c]
        clicks, skips = state.clicks[row], state.skips[row]
        rest = 1.0 - a * e
        if rest < -ROUNDING:
            return -inf  # possible during an ascent without bounds only
        total += log_share(clicks, a * e) + log_share(skips, rest)
        missed = skips / rest if rest > 0.0 else 0.0
        attraction.expected[i] += clicks + missed * a * (1.0 - e)
        examination.expected[c] += clicks + missed * e * (1.0 - a)
    return total if total == total else -inf


@compiled
def improve(state: Products) -> None:
    for side in (state.attraction, state.examination):
        for n in range(side.chance.size):
            side.chance[n] = share(side.expected[n], side.impressions[n], state.prior)
