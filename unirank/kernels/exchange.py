"""A best assignment kept the best while a few weights change: positions pass their items round.

As in `assignment.py`, prices of items prove an assignment optimal while no position would rather
have another item for its price. After a few changes most of that proof still stands. Think of the
items that no position has as one more holder, the pool, with price 0 and no use for any item: only
the best of them for a position can matter to it. Then the assignment can be bettered only along
circles of these n_positions + 1 holders, each taking the item of the next.

    rival[k]    max over the other items i of weight[k, i] - price[i]
    loose       a position k whose own item is worth less than rival[k]: the proof has a hole
    profit[k]   the larger of rival[k] and what its own item is worth
    slack       profit[k] + price[i] - weight[k, i] >= 0 for all k, i

`mend` closes one hole: of all circles through k, its own slack among them, it takes the one of
least slack (Dijkstra), which takes n_positions^2 steps whatever the number of items. The other
holes are taken as if their weights had not fallen yet. When none is left, the assignment is best.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.assignment import NOBODY, Assignment
from unirank.kernels.compiling import compiled

ROUNDING = 2e-15  # a smaller hole is none; the noise of two cells may differ by little more

HOLDER = np.dtype(
    [
        ("rival", np.float64),
        ("profit", np.float64),
        ("spare", np.int64),  # the best item in the pool, or NOBODY
        ("length", np.float64),  # scratch: slack of the shortest path here
        ("before", np.int64),  # scratch: the holder that would take this one's item
        ("done", np.bool_),  # scratch
    ]
)


@compiled
def find_spares(holders: Any, found: Assignment, weights: NDArray[np.float64]) -> None:
    for position in range(found.items.size):
        find_spare(holders, found, weights, position)


@compiled
def find_spare(
    holders: Any, found: Assignment, weights: NDArray[np.float64], position: int
) -> None:
    best, most = NOBODY, -np.inf
    for item in range(found.positions.size):
        if found.positions[item] == NOBODY and weights[position, item] > most:
            best, most = item, weights[position, item]
    holders[position].spare = best


@compiled
def find_rivals(holders: Any, found: Assignment, weights: NDArray[np.float64]) -> None:
    for position in range(found.items.size):
        spare = holders[position].spare
        rival = weights[position, spare] if spare != NOBODY else -np.inf
        for other in range(found.items.size):
            if other != position:
                item = found.items[other]
                rival = max(rival, weights[position, item] - found.prices[item])
        holders[position].rival = rival


@compiled
def worth(found: Assignment, weights: NDArray[np.float64], position: int) -> float:
    """What its own item is worth to a position."""
    item = found.items[position]
    return weights[position, item] - found.prices[item]


@compiled
def first_loose(holders: Any, found: Assignment, weights: NDArray[np.float64]) -> int:
    """Some loose position, or NOBODY: then the assignment is the best."""
    for position in range(found.items.size):
        if not worth(found, weights, position) + ROUNDING >= holders[position].rival:
            return position
    return NOBODY


@compiled
def mend(holders: Any, found: Assignment, weights: NDArray[np.float64], start: int) -> None:
    """Give a loose position the item it should have, which may be its own, and adapt the prices."""
    pool = found.items.size
    for holder in range(pool + 1):
        holders[holder].length = np.inf
        holders[holder].done = False
    for position in range(pool):
        holders[position].profit = max(holders[position].rival, worth(found, weights, position))
    taker, length = start, 0.0
    for _ in range(pool + 1):
        taker = lengthen(holders, found, weights, taker, length)
        length = holders[taker].length
        holders[taker].done = True
        if taker == start:
            break
    reprice(holders, found, length)
    if holders[start].before != start:
        pass_round(holders, found, weights, start)


@compiled
def lengthen(
    holders: Any, found: Assignment, weights: NDArray[np.float64], taker: int, length: float
) -> int:
    """Lengthen the paths by what `taker` could take; return the nearest holder not yet met."""
    pool = found.items.size
    nearest, least = pool, np.inf
    for holder in range(pool + 1):
        met = holders[holder]
        if met.done:
            continue
        slack = np.inf
        if taker == pool:
            slack = found.prices[found.items[holder]]
        elif holder < pool:
            item = found.items[holder]
            slack = holders[taker].profit + found.prices[item] - weights[taker, item]
        elif holders[taker].spare != NOBODY:
            slack = holders[taker].profit - weights[taker, holders[taker].spare]
        slack = length + max(slack, 0.0)
        if slack < met.length:
            met.length = slack
            met.before = taker
        if met.length < least:
            nearest, least = holder, met.length
    return nearest


@compiled
def reprice(holders: Any, found: Assignment, length: float) -> None:
    """Make the items that were nearer dearer; the price of the pool stays 0."""
    pool = found.items.size
    rise = length - holders[pool].length if holders[pool].done else 0.0
    for position in range(pool):
        item = found.items[position]
        price = found.prices[item] - rise
        if holders[position].done:
            price += length - holders[position].length
        found.prices[item] = max(price, 0.0)


@compiled
def pass_round(holders: Any, found: Assignment, weights: NDArray[np.float64], start: int) -> None:
    """Let everyone on the path take the next one's item, the last one that of `start`."""
    pool = found.items.size
    given = found.items[start]
    taken = dropped = NOBODY
    holder = start
    for _ in range(pool + 1):  # from the last one back: each takes what its follower had
        taker = holders[holder].before
        if taker == pool:
            dropped = given
            given = NOBODY
        else:
            item = given
            if holder == pool:
                item = taken = holders[taker].spare
            given = found.items[taker]
            found.items[taker] = item
            found.positions[item] = taker
        holder = taker
        if taker == start:
            break
    if dropped != NOBODY:
        found.positions[dropped] = NOBODY
        found.prices[dropped] = 0.0
        restock(holders, found, weights, taken, dropped)


@compiled
def restock(
    holders: Any, found: Assignment, weights: NDArray[np.float64], taken: int, dropped: int
) -> None:
    """See what the pool's best item is, once one has left and another has come."""
    for position in range(found.items.size):
        spare = holders[position].spare
        if spare == taken:
            find_spare(holders, found, weights, position)
        elif weights[position, dropped] > weights[position, spare]:
            holders[position].spare = dropped
