"""What a proposal gains in log-likelihood, and a bound of it that needs no logarithm.

For a coordinate x whose row (or column) has clicks s, refusals f and other factors y, x' gains

    S ln(x' / x) + sum f ln((1 - x' y) / (1 - x y)),   S = sum s

The factors y of a click cancel, so only S is kept of the clicks. The bound takes one vectorised
division per cell:

    ln(b / a) <= (b - a)(b + 5 a) / (a (2 a + 4 b))     for all a, b > 0, equal to third order
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled, compiled_reordering


class Side(NamedTuple):
    """The attractions, or the examinations, with the counts that belong to them."""

    x: NDArray[np.float64]
    first: int  # coordinates before it are fixed
    y: NDArray[np.float64]  # the other side
    clicks: NDArray[np.float64]  # (x,)
    refused: NDArray[np.float64]  # (x, y)
    windows: Any  # (x,) records WINDOW


@compiled
def gained(side: Side, place: int, new: float) -> float:
    """Return the log-likelihood with `new` in this place, less that with x."""
    x, y = side.x[place], side.y
    gain = side.clicks[place] * np.log(np.divide(new, x))
    for other in range(y.size):
        a, b = 1.0 - x * y[other], 1.0 - new * y[other]
        gain += side.refused[place, other] * np.log(np.divide(b, a))
    return gain


@compiled_reordering
def most_gained(side: Side, place: int, new: float) -> float:
    """Return an upper bound of `gained`, but for rounding."""
    clicks = side.clicks[place] * most_log_ratio(side.x[place], new)
    return clicks + most_gained_by_refusals(side, place, new)


@compiled_reordering
def most_gained_by_refusals(side: Side, place: int, new: float) -> float:
    x, y = side.x[place], side.y
    most = 0.0
    for other in range(y.size):
        a, b = 1.0 - x * y[other], 1.0 - new * y[other]
        most += side.refused[place, other] * most_log_ratio(a, b)
    return most


@compiled_reordering
def most_log_ratio(a: float, b: float) -> float:
    """Return an upper bound of ln(b / a)."""
    ratio: float = np.divide((b - a) * (b + 5.0 * a), a * (2.0 * a + 4.0 * b))
    return ratio
