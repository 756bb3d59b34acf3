"""Uniform shuffles by Fisher-Yates, stopped as soon as the visible part is drawn."""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng, below


@compiled
def shuffle_prefix(items: NDArray[np.int64], start: int, end: int, n_drawn: int, rng: Rng) -> None:
    """Put a uniform ordered sample of items[start:end] in its first places, up to place `n_drawn`.

    Place p is filled by draw p of `rng`; the items not drawn follow in some order.
    """
    for place in range(start, min(end - 1, n_drawn)):
        other = place + below(rng, place, end - place)
        items[place], items[other] = items[other], items[place]
