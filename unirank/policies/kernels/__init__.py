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
    tournament,
    truncated_normal,
    unimodal,
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
    "tournament",
    "truncated_normal",
    "unimodal",
    "ziggurat",
]
