"""The largest of many indices, in decreasing order, equal ones in a random order.

    ranking = the first n_positions items, sorted by (-index, uniform(draw=item))

A tie is an equality of floating-point numbers, and its random numbers are read only when it occurs.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform


@compiled
def comes_before(index: NDArray[np.float64], rng: Rng, item: int, other: int) -> bool:
    if index[item] != index[other]:
        return index[item] > index[other]
    return uniform(rng, item) < uniform(rng, other)


@compiled
def top_k(index: NDArray[np.float64], rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Fill `ranking` with the items of largest index, by insertion: best for a short ranking."""
    for item in range(index.size):
        place = min(item, ranking.size)  # positions before `place` are filled
        while place > 0 and comes_before(index, rng, item, ranking[place - 1]):
            if place < ranking.size:
                ranking[place] = ranking[place - 1]
            place -= 1
        if place < ranking.size:
            ranking[place] = item


@compiled
def chance_of(index: NDArray[np.float64], ranking: NDArray[np.int64]) -> float:
    """Return the probability that `top_k` gives this ranking: 1 or 0 unless items tie."""
    chance = 1.0
    for position in range(ranking.size):
        mine = index[ranking[position]]
        larger = equal = 0
        for item in range(index.size):
            larger += index[item] > mine
            equal += index[item] == mine
        for above in range(position):
            larger -= index[ranking[above]] > mine
            equal -= index[ranking[above]] == mine
        chance = chance / equal if larger == 0 else 0.0
    return chance
