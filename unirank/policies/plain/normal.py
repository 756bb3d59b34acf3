"""Standard normal random numbers by the ziggurat.

Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", Journal of Statistical
Software 2000. `policies/kernels/ziggurat.py` is the compiled edition.
"""

from math import exp, log

from unirank.policies.base.round_rng import Draws
from unirank.policies.kernels.ziggurat import EDGE, START


def normal(draws: Draws, draw: int) -> float:
    """Return a standard normal number; the numbers it reads start at `draw`."""
    bits = draws.bits(draw)
    while True:
        number = int(bits)
        layer, sign = number % 256, 1 if number // 256 % 2 else -1
        x = (number >> 11) / 2**53 * float(EDGE[layer])
        if x < EDGE[layer + 1]:  # below the layer above: surely under the curve
            return sign * x
        bits = draws.after(bits)
        v = draws.inner(bits)
        bits = draws.after(bits)
        if layer == 0:  # the tail
            x = -log(v) / START
            if -2 * log(draws.inner(bits)) > x * x:
                return sign * (START + x)
            bits = draws.after(bits)
        else:
            low, high = exp(-(EDGE[layer] ** 2) / 2), exp(-(EDGE[layer + 1] ** 2) / 2)
            if low + v * (high - low) < exp(-x * x / 2):
                return sign * x
