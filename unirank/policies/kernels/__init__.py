"""Compiled, pure functions: numba and numpy only."""

from unirank.policies.kernels import (
    assignment,
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
    truncated_normal,
    ziggurat,
)

__all__ = [
    "assignment",
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
    "truncated_normal",
    "ziggurat",
]
