"""Forgetting: what was learnt counts half after `half_life` rounds."""

from unirank import arguments
from unirank.errors import ArgumentError

LARGEST = 1e15  # rounds


def checked_half_life(half_life: float | None) -> float | None:
    if half_life is None:
        return None
    rounds = arguments.number("half_life", half_life)
    if not 1.0 <= rounds <= LARGEST:
        raise ArgumentError(f"half_life must be in 1..{LARGEST:.0e} rounds, got {half_life!r}")
    return rounds
