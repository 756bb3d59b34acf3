"""What the policies share that know each item at each position: its clicks, and how high they go.

    c[k, i], n[k, i]   clicks on item i at position k, and how often it was shown there
    mean[k, i]         c / n, or 0 where n = 0
    u(b)               kl_ucb(mean, n, b), the index of a cell at budget b; 1 where n = 0
    noise[k, i]        2^-30 uniform(round 0, draw k L + i): breaks ties of assignments, the same
                       way throughout a game

An index is a concave function of the budget: n kl(mean, u) = b is convex in u. So one point of it,
u(b0), with its slope there bounds it at any other budget b without solving:

    u(b) <= u(b0) + u'(b0) (b - b0),   u'(b0) = u (1 - u) / (n (u - mean))
    u(b) >= u(b0) where b >= b0, else mean + (u(b0) - mean) b / b0

And a point takes no solving either: any x > mean is the index at b0 = n kl(mean, x). The one that
serves is near, the old index moved along with the mean, and at most one Newton step from there.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.indices import kl, kl_ucb
from unirank.kernels.randomness import LARGEST_ROUND, at_round, uniform

UNKNOWN = -1.0
NEAR = 0.01  # a point within this share of the budget bounds the index well enough
NOISE = 2.0**-30

CELL = np.dtype(
    [
        ("shown", np.int64),
        ("clicked", np.int64),
        ("noise", np.float64),
        ("budget", np.float64),  # at which the index is known, or UNKNOWN
        ("index", np.float64),  # there, or a guess
        ("slope", np.float64),  # of the index, in the budget
    ]
)


def new_cells(n_positions: int, n_items: int) -> NDArray[Any]:
    cells = np.zeros((n_positions, n_items), CELL)
    cells["budget"] = UNKNOWN
    return cells


def cells_with(
    n_positions: int, n_items: int, shown: NDArray[np.int64], clicked: NDArray[np.int64]
) -> NDArray[Any]:
    """Cells with these counts, which may come from a forged file."""
    cells = new_cells(n_positions, n_items)
    if shown.shape != cells.shape or clicked.shape != cells.shape:
        raise ArgumentError(f"shown and clicked must have shape {cells.shape}")
    if shown.min() < 0 or shown.max() > LARGEST_ROUND:
        raise ArgumentError(f"shown must be counts of at most {LARGEST_ROUND}")
    if clicked.min() < 0 or (clicked > shown).any():
        raise ArgumentError("clicked must be counts of at most shown")
    cells["shown"], cells["clicked"] = shown, clicked
    return cells


def checked_budget(
    by_default: str, budget: str, horizon: int | None
) -> dict[str, int | str | None]:
    """Options that say how budgets grow; only a fixed one takes, and needs, a horizon."""
    arguments.choice("budget", budget, (by_default, "horizon"))
    if budget == "horizon":
        if horizon is None:
            raise ArgumentError("horizon must be an integer with budget='horizon', got None")
        horizon = arguments.integer("horizon", horizon, 1, LARGEST_ROUND)
    elif horizon is not None:
        raise ArgumentError(f"horizon must be None unless budget='horizon', got {horizon!r}")
    return {"budget": budget, "horizon": horizon}


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
    before = mean_of(cell)
    cell.shown += 1
    cell.clicked += click
    cell.budget = UNKNOWN
    cell.index += mean_of(cell) - before


@compiled
def mean_of(cell: Any) -> float:
    return cell.clicked / cell.shown if cell.shown > 0 else 0.0


@compiled
def index_at(cell: Any, budget: float) -> float:
    """The index at this budget, solved for unless it has been."""
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
    cell.budget = budget
    cell.index = index
    cell.slope = 0.0
    if cell.shown > 0:
        cell.slope = index * (1.0 - index) / (cell.shown * (index - mean))


@compiled
def find_point(cell: Any, budget: float) -> None:
    """Know the index at some budget near this one, if the guess is any good."""
    mean, x = mean_of(cell), cell.index
    for _ in range(2):
        if not mean + 1e-9 < x < 1.0 - 1e-9 or cell.shown == 0 or budget <= 0.0:
            cell.budget = UNKNOWN
            return
        keep(cell, mean, x, cell.shown * kl(mean, x))
        if abs(cell.budget - budget) <= NEAR * budget:
            return
        x += cell.slope * (budget - cell.budget)


@compiled
def upper(cell: Any, budget: float) -> float:
    """At least the index, but for rounding errors."""
    if cell.budget < 0.0:
        find_point(cell, budget)
    if cell.budget < 0.0:
        return index_at(cell, budget)
    return min(cell.index + cell.slope * (budget - cell.budget), 1.0)


@compiled
def lower(cell: Any, budget: float) -> float:
    """At most the index, but for rounding errors."""
    if cell.budget < 0.0:
        find_point(cell, budget)
    if cell.budget < 0.0:
        return index_at(cell, budget)
    if budget >= cell.budget:
        return cell.index
    mean = mean_of(cell)
    return mean + (cell.index - mean) * budget / cell.budget
