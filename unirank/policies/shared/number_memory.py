"""Memory of a round that is a few numbers of 8 bytes each, as numpy's `tobytes` writes them."""

import sys

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

LITTLE = sys.byteorder == "little"


@compiled
def write_number(memory: NDArray[np.uint8], place: int, value: int) -> int:
    """Write an integer; return the place behind it."""
    for byte in range(8):
        shift = byte if LITTLE else 7 - byte
        memory[place + byte] = (value >> (8 * shift)) & 255
    return place + 8


@compiled
def write_share(memory: NDArray[np.uint8], place: int, value: float) -> int:
    """Write a floating-point number; return the place behind it."""
    bits: int = np.float64(value).view(np.int64)  # type: ignore[assignment]
    return write_number(memory, place, bits)
