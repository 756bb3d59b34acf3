"""Forgetting: what was learnt counts half after `half_life` rounds.

Nothing is multiplied in each round. What is new is added with a weight instead, the *scale*, which
grows by the factor `growth` = 2^(1 / half_life) with every round given; a statistic divided by the
scale is what it counts now. When the scale has become LARGEST_SCALE, all is divided by it once.
"""

from typing import Any

import numpy as np

from unirank import arguments
from unirank.errors import ArgumentError

LARGEST = 1e15  # rounds
LARGEST_SCALE = 2.0**20  # a pass over the statistics every twenty half-lives
FORGOTTEN = 1e-9  # what counts less is nothing


def checked_half_life(half_life: float | None) -> float | None:
    if half_life is None:
        return None
    rounds = arguments.number("half_life", half_life)
    if not 1.0 <= rounds <= LARGEST:
        raise ArgumentError(f"half_life must be in 1..{LARGEST:.0e} rounds, got {half_life!r}")
    return rounds


def growth_of(half_life: float | None) -> float:
    """Factor of the scale, in each round; 1 without forgetting."""
    return 1.0 if half_life is None else float(np.exp2(1.0 / half_life))


def rescaled(values: Any, scale: float) -> Any:
    """What these statistics count now; what counts next to nothing becomes 0."""
    now = values / scale
    return np.where(np.abs(now) < FORGOTTEN, 0.0, now)


def aged_common(
    mine: int, theirs: int, common: int, *, half_life: float | None
) -> tuple[float, int]:
    """What the common part of two copies counts in the sum of both, and the merged clock.

    Clocks are rounds given. What a copy learnt itself is as old as its own rounds make it; what
    both knew before is as old as the rounds of both:

        merged = mine + theirs - share * common,   share = f(a) + f(b) - f(a + b)

    with f(n) = 2^(-n / half_life) and a, b the rounds of each since the common point.
    """
    a, b = mine - common, theirs - common

    def left(rounds: int) -> float:
        return 1.0 if half_life is None else float(np.exp2(-rounds / half_life))

    return left(a) + left(b) - left(a + b), common + a + b
