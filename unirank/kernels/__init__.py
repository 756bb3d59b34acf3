"""Compiled, pure functions: numba and numpy only."""

from unirank.kernels import (
    compiling,
    counting,
    indices,
    normal,
    optimism,
    partition,
    randomness,
    selection,
    shuffling,
    tournament,
    truncated_normal,
    unimodal,
)

__all__ = [
    "compiling",
    "counting",
    "indices",
    "normal",
    "optimism",
    "partition",
    "randomness",
    "selection",
    "shuffling",
    "tournament",
    "truncated_normal",
    "unimodal",
]
