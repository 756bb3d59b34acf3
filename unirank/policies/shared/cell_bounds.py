"""Click counts and KL-UCB bounds per item and position.

    c[k, i], n[k, i]   clicks on item i at position k, and how often it was shown there
    mean[k, i]         c / n, or 0 where n = 0
    u(b)               kl_ucb(mean, n, b), the index of a cell at budget b; 1 where n = 0
    noise[k, i]        2^-30 uniform(round 0, draw k L + i): breaks ties between lists, in the same
                       way throughout a game

An index is a concave function of the budget: n kl(mean, u) = b is convex in u. So one point of it,
u(b0), bounds it at any other budget b without solving. With the slope g(u) = u (1 - u) / (n (u -
mean)), which falls as u grows,

    u(b) <= u(b0) + g(u(b0)) (b - b0) = over
    u(b) >= u(b0) + g(over) (b - b0)    where b >= b0
    u(b) >= u(b0) - g(under) (b0 - b)   where b < b0, with under = mean + (u(b0) - mean) b / b0

The distance of the bounds shrinks with the square of b - b0. A point takes no solving either: any
x > mean is the index at b0 = n kl(mean, x). One more show changes that budget by about ln(mean / x)
with a click and ln((1 - mean) / (1 - x)) without; `find_point` uses this and the slope to choose x.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.kernels.randomness import LARGEST_ROUND, at_round, uniform

UNKNOWN = -1.0
NEAR = 1e-3  # a point within this share of the budget bounds the index well enough
N_STEPS = 4  # a guess that needs more steps is a bad one
NOISE = 2.0**-30

CELL = np.dtype(
    [
        ("shown", np.int64),
        ("clicked", np.int64),
        ("noise", np.float64),
        ("budget", np.float64),  # at which the index is known, or UNKNOWN
        ("index", np.float64),  # there
        ("slope", np.float64),  # of the index, in the budget
        ("nearby", np.float64),  # budget of `index`, a guess once the counts have changed
        ("hit", np.float64),  # what a click adds to that budget
        ("miss", np.float64),  # what a show without a click adds
    ]
)


def new_cells(n_positions: int, n_items: int) -> NDArray[Any]:
    cells = np.zeros((n_positions, n_items), CELL)
    cells["budget"] = UNKNOWN
    return cells


def cells_with(
    n_positions: int, n_items: int, shown: NDArray[np.int64], clicked: NDArray[np.int64]
) -> NDArray[Any]:
    """Return cells with these counts, which may come from a forged file."""
    cells = new_cells(n_positions, n_items)
    if shown.shape != cells.shape or clicked.shape != cells.shape:
        raise ArgumentError(f"shown and clicked must have shape {cells.shape}")
    if shown.min() < 0 or shown.max() > LARGEST_ROUND:
        raise ArgumentError(f"shown must be counts of at most {LARGEST_ROUND}")
    if clicked.min() < 0 or (clicked > shown).any():
        raise ArgumentError("clicked must be counts of at most shown")
    cells["shown"], cells["clicked"] = shown, clicked
    return cells


def check_budget(options: dict[str, Any]) -> None:
    """Raise ArgumentError unless `horizon` is given exactly with budget='horizon'."""
    horizon = options["horizon"]
    if options["budget"] == "horizon":
        if horizon is None:
            raise ArgumentError("horizon must be an integer with budget='horizon', got None")
        arguments.integer("horizon", horizon, 1, LARGEST_ROUND)
    elif horizon is not None:
        raise ArgumentError(f"horizon must be None unless budget='horizon', got {horizon!r}")


@compiled
def draw_noise(cells: Any, key: np.uint64) -> None:
    rng = at_round(key, 0)
    n_positions, n_items = cells.shape
    for position in range(n_positions):
        for item in range(n_items):
            draw = position * n_items + item
            cells[position, item].noise = NOISE * uniform(rng, draw)


@compiled
def count(cell: Any, click: bool) -> None:
    cell.shown += 1
    cell.clicked += click
    cell.nearby += cell.hit if click else cell.miss
    cell.budget = UNKNOWN


@compiled
def mean_of(cell: Any) -> float:
    return cell.clicked / cell.shown if cell.shown > 0 else 0.0


@compiled
def index_at(cell: Any, budget: float) -> float:
    """Return the index at this budget; solve for it unless it is known."""
    if cell.budget == budget:
        return cell.index
    mean = mean_of(cell)
    index = kl_ucb(mean, np.float64(cell.shown), budget)
    # Where the index is the mean its slope is infinite, and bounds nothing: never kept.
    if index > mean and budget > 0.0:
        keep(cell, mean, index, budget)
    return index


@compiled
def keep(cell: Any, mean: float, index: float, budget: float) -> None:
    cell.budget = cell.nearby = budget
    cell.index = index
    cell.slope = slope_at(cell, mean, index)


@compiled
def slope_at(cell: Any, mean: float, index: float) -> float:
    return index * (1.0 - index) / (cell.shown * (index - mean)) if cell.shown > 0 else 0.0


@compiled
def find_point(cell: Any, budget: float, near: float) -> None:
    """Find a point within a share `near` of this budget; leave UNKNOWN if the guess is bad."""
    cell.budget = UNKNOWN
    if cell.shown == 0 or budget <= 0.0:
        return
    if cell.clicked == 0:  # the index is known in closed form
        x = -np.expm1(-budget / cell.shown)
        if x > 1e-9:
            keep(cell, 0.0, x, budget)
            cell.hit, cell.miss = 0.0, -np.log1p(-x) if x < 1.0 else 0.0
        return
    mean = mean_of(cell)
    x = cell.index + cell.slope * (budget - cell.nearby)
    for _ in range(N_STEPS):
        if not mean + 1e-9 < x < 1.0 - 1e-9:
            cell.budget = UNKNOWN
            return
        cell.hit = np.log(mean / x)
        cell.miss = np.log((1.0 - mean) / (1.0 - x))
        keep(cell, mean, x, cell.clicked * cell.hit + (cell.shown - cell.clicked) * cell.miss)
        if abs(cell.budget - budget) <= near * budget:
            return
        x += cell.slope * (budget - cell.budget)


@compiled
def come_near(cell: Any, budget: float, near: float) -> None:
    """Find a point within a share `near` of this budget, unless there is one."""
    if abs(cell.budget - budget) > near * budget:
        find_point(cell, budget, near)


@compiled
def upper(cell: Any, budget: float) -> float:
    """Return an upper bound of the index, up to rounding errors."""
    if cell.budget < 0.0:
        find_point(cell, budget, NEAR)
    if cell.budget < 0.0:
        return index_at(cell, budget)
    return min(cell.index + cell.slope * (budget - cell.budget), 1.0)


@compiled
def lower(cell: Any, budget: float) -> float:
    """Return a lower bound of the index, up to rounding errors."""
    if cell.budget < 0.0:
        find_point(cell, budget, NEAR)
    if cell.budget < 0.0:
        return index_at(cell, budget)
    mean = mean_of(cell)
    away = budget - cell.budget
    if away >= 0.0:
        beyond = min(cell.index + cell.slope * away, 1.0)
    else:
        beyond = mean + (cell.index - mean) * budget / cell.budget
        if not beyond > mean:
            return mean
    return cell.index + slope_at(cell, mean, beyond) * away
