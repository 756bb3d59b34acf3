"""Standard normal random numbers by the ziggurat, from addressed random numbers.

Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", Journal of Statistical
Software 2000, with 256 layers of equal area under exp(-x^2 / 2). A point is drawn in a random layer
between the edges 0 and EDGE[layer]; 99 % of the points lie below the layer above, where no
exponential function is needed. The lowest layer has the tail beyond START. Later attempts take the
bits of the one before as their counter, so no other address is read. `policies/plain/normal.py` is
the edition to read first.
"""

from math import erfc, exp, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, inner_uniform, random_bits, squares

N_LAYERS = 256
START = 3.6541528853610088  # of the tail


def layer_edges() -> NDArray[np.float64]:
    """Return the right edges of the layers, from the lowest, whose edge counts in its tail."""
    area = START * exp(-0.5 * START**2) + sqrt(pi / 2.0) * erfc(START * sqrt(0.5))
    edges = [area / exp(-0.5 * START**2), START]
    while len(edges) < N_LAYERS:
        edges.append(sqrt(-2.0 * log(area / edges[-1] + exp(-0.5 * edges[-1] ** 2))))
    return np.array([*edges, 0.0])


EDGE = layer_edges()
INSIDE = np.append(EDGE[1:] / EDGE[:-1], 0.0)  # share of a layer that is below the next one
HEIGHT = np.exp(-0.5 * EDGE**2)
LAYER_BITS = np.uint64(N_LAYERS - 1)
SIGN_BIT = np.uint64(N_LAYERS)


@compiled
def normal(rng: Rng, draw: int) -> float:
    """One standard normal number."""
    bits = random_bits(rng, draw)
    while True:
        layer = np.int64(bits & LAYER_BITS)
        sign = 1.0 if bits & SIGN_BIT else -1.0
        u = np.float64(bits >> np.uint64(11)) * 2.0**-53
        if u < INSIDE[layer]:
            return sign * u * EDGE[layer]
        bits = squares(bits, rng.key)
        v = inner_uniform(bits)
        bits = squares(bits, rng.key)
        if layer == 0:
            x = -np.log(v) / START
            if -2.0 * np.log(inner_uniform(bits)) > x * x:
                return sign * (START + x)
            bits = squares(bits, rng.key)
        else:
            x = u * EDGE[layer]
            height = HEIGHT[layer] + v * (HEIGHT[layer + 1] - HEIGHT[layer])
            if height < np.exp(-0.5 * x * x):
                return sign * x
