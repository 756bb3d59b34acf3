"""Compiled, pure functions: numba and numpy only."""

from unirank.kernels import (
    compiling,
    counting,
    indices,
    optimism,
    partition,
    randomness,
    selection,
    shuffling,
)

__all__ = [
    "compiling",
    "counting",
    "indices",
    "optimism",
    "partition",
    "randomness",
    "selection",
    "shuffling",
]
