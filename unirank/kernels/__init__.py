"""Compiled, pure functions: numba and numpy only."""

from unirank.kernels import (
    beta,
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
    "beta",
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
