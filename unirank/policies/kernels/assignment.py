"""The best assignment of items to positions, and prices that prove it optimal.

Maximise the sum over positions k of weight[k, item_k], all items different. Prices p_i >= 0, with
p_i = 0 for every item that no position has, prove an assignment optimal as soon as no position
would prefer another item at its price (linear programming duality):

    weight[k, item_k] - p[item_k] >= weight[k, i] - p[i]   for all k, i

`rivals[k]` is an upper bound of the right side's maximum over the other items. While the own item
of each position is worth at least that much, the assignment stays optimal; each changed weight
takes one comparison. Prices are never accumulated, so neither are rounding errors.

Prices are seldom unique. `spread` takes the mean of the lowest and the highest (longest and
shortest paths between positions, Bellman-Ford), which leaves every position some room; prices of
the Hungarian algorithm leave none to some positions, and a round of GRAB takes twice as long with
them. Only where no prices exist is the problem solved again, by shortest augmenting paths with
potentials (Jonker and Volgenant, 1987).

Callers break ties: weights should make one assignment the best.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

NOBODY = -1


class Assignment(NamedTuple):
    items: NDArray[np.int64]  # (n_positions,) item of each position, NOBODY before the first solve
    positions: NDArray[np.int64]  # (n_items,) position of each item, or NOBODY
    prices: NDArray[np.float64]  # (n_items,)
    rivals: NDArray[np.float64]  # (n_positions,) what the best other item is worth, at most
    low: NDArray[np.float64]  # (n_positions,) scratch: lowest prices, or profits of positions
    high: NDArray[np.float64]  # (n_positions,) scratch: highest prices
    lengths: NDArray[np.float64]  # (n_items,) scratch: shortest paths
    before: NDArray[np.int64]  # (n_items,) scratch: the position that a path comes from
    done: NDArray[np.bool_]  # (n_items,) scratch


def no_assignment(n_positions: int, n_items: int) -> Assignment:
    """An assignment in which no position has an item yet."""
    return Assignment(
        items=np.full(n_positions, NOBODY),
        positions=np.full(n_items, NOBODY),
        prices=np.zeros(n_items),
        rivals=np.full(n_positions, np.inf),
        low=np.zeros(n_positions),
        high=np.zeros(n_positions),
        lengths=np.zeros(n_items),
        before=np.zeros(n_items, np.int64),
        done=np.zeros(n_items, np.bool_),
    )


@compiled
def weight_changed(
    found: Assignment, weights: NDArray[np.float64], position: int, item: int
) -> bool:
    """Record one changed weight; whether its position may now prefer another item."""
    own = found.items[position]
    if own == NOBODY:
        return True
    if item != own:
        rival = weights[position, item] - found.prices[item]
        found.rivals[position] = max(found.rivals[position], rival)
    return not weights[position, own] - found.prices[own] >= found.rivals[position]


@compiled
def reassign(found: Assignment, weights: NDArray[np.float64]) -> bool:
    """Bring the assignment up to date; whether it was solved again."""
    if found.items[0] != NOBODY and (prices_hold(found, weights) or spread(found, weights)):
        return False
    solve(found, weights)
    if not spread(found, weights):  # by rounding errors only: the potentials are prices, too
        find_rivals(found, weights)
    return True


@compiled
def prices_hold(found: Assignment, weights: NDArray[np.float64]) -> bool:
    """Recompute the rivals; whether the prices prove the assignment optimal."""
    find_rivals(found, weights)
    for position in range(found.items.size):
        own = found.items[position]
        if not weights[position, own] - found.prices[own] >= found.rivals[position]:
            return False
    return True


@compiled
def find_rivals(found: Assignment, weights: NDArray[np.float64]) -> None:
    for position in range(found.items.size):
        rival = -np.inf
        for item in range(found.prices.size):
            if item != found.items[position]:
                rival = max(rival, weights[position, item] - found.prices[item])
        found.rivals[position] = rival


@compiled
def spread(found: Assignment, weights: NDArray[np.float64]) -> bool:
    """Set every price half-way between its lowest and its highest; False if no prices exist."""
    n_positions = found.items.size
    for position in range(n_positions):
        own = weights[position, found.items[position]]
        found.low[position] = 0.0
        found.high[position] = own + n_positions + 2.0  # more than any price, for weights in [0, 1]
        for item in range(found.positions.size):
            if found.positions[item] == NOBODY:
                found.high[position] = min(found.high[position], own - weights[position, item])
    if not (relax(found, weights, True) and relax(found, weights, False)):
        return False
    for position in range(n_positions):
        if not found.low[position] <= found.high[position]:
            return False
    for position in range(n_positions):
        found.prices[found.items[position]] = 0.5 * (found.low[position] + found.high[position])
    find_rivals(found, weights)
    return True


@compiled
def relax(found: Assignment, weights: NDArray[np.float64], rising: bool) -> bool:
    """Raise the lowest prices, or cut the highest, until no position prefers another's item."""
    n_positions = found.items.size
    for _ in range(n_positions + 1):
        settled = True
        for position in range(n_positions):
            own = weights[position, found.items[position]]
            for other in range(n_positions):
                gain = weights[position, found.items[other]] - own
                if rising and found.low[position] + gain > found.low[other]:
                    found.low[other] = found.low[position] + gain
                    settled = False
                if not rising and found.high[other] - gain < found.high[position]:
                    found.high[position] = found.high[other] - gain
                    settled = False
        if settled:
            return True
    return False  # a circle of positions gains by passing its items round


@compiled
def solve(found: Assignment, weights: NDArray[np.float64]) -> None:
    """Find the best assignment and some prices, from scratch."""
    for item in range(found.prices.size):
        found.prices[item] = 0.0
        found.positions[item] = NOBODY
    for position in range(found.items.size):
        found.items[position] = NOBODY
        found.low[position] = 0.0
    for position in range(found.items.size):
        augment(found, weights, position)


@compiled
def augment(found: Assignment, weights: NDArray[np.float64], start: int) -> None:
    """Give position `start` an item, along the shortest augmenting path."""
    profits = found.low
    for item in range(found.prices.size):
        found.lengths[item] = np.inf
        found.done[item] = False
    position, length, last = start, 0.0, NOBODY
    for _ in range(found.items.size):  # each turn but the last meets another position
        last = step(found, weights, position, length)
        length = found.lengths[last]
        found.done[last] = True
        if found.positions[last] == NOBODY:
            break
        position = found.positions[last]
    profits[start] -= length
    for item in range(found.prices.size):
        if found.done[item] and item != last:
            found.prices[item] += length - found.lengths[item]
            profits[found.positions[item]] -= length - found.lengths[item]
    item = last
    for _ in range(found.items.size):  # walk back, and hand each item on
        position = found.before[item]
        previous = found.items[position]
        found.positions[item] = position
        found.items[position] = item
        item = previous
        if position == start:
            break


@compiled
def step(found: Assignment, weights: NDArray[np.float64], position: int, length: float) -> int:
    """Lengthen the paths by this position's other choices; return the nearest item not yet met."""
    nearest = NOBODY
    for item in range(found.prices.size):
        if not found.done[item]:
            loss = found.low[position] + found.prices[item] - weights[position, item]
            if length + loss < found.lengths[item]:
                found.lengths[item] = length + loss
                found.before[item] = position
            # Among equals a free item ends the path.
            if (
                nearest == NOBODY
                or found.lengths[item] < found.lengths[nearest]
                or (
                    found.lengths[item] == found.lengths[nearest]
                    and found.positions[item] == NOBODY
                )
            ):
                nearest = item
    return nearest
