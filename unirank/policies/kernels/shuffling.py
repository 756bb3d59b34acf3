"""Uniform shuffles by Fisher-Yates, stopped as soon as the visible part is drawn."""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import GAME, Rng, address, below


@compiled
def shuffle_prefix(items: NDArray[np.int64], start: int, end: int, n_drawn: int, rng: Rng) -> None:
    """Put a uniform ordered sample of items[start:end] in its first places, up to place `n_drawn`.

    Place p is filled by draw p of `rng`; the items not drawn follow in some order.
    """
    for place in range(start, min(end - 1, n_drawn)):
        other = place + below(rng, place, end - place)
        items[place], items[other] = items[other], items[place]


def game_order(n_items: int, seed: int, game: int) -> NDArray[np.int64]:
    """Order of the items in one game: the policy's item n is the problem's item order[n]."""
    order = np.arange(n_items)
    shuffle_prefix(order, 0, n_items, n_items, address(seed, game, GAME, 0))
    return order
