"""Warnings about estimates: few observations, values on the border of [0, 1], no data."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators.base import Evidence

ENOUGH = 100  # observations; fewer raise a warning
MOST_NAMED = 5


def fit_warnings(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return one line per parameter and reason, with the number of values and the first ones."""
    return tuple(line for part in evidence for line in _fit_warnings(part))


def _fit_warnings(part: Evidence) -> list[str]:
    seen = part.counts > 0
    few = seen & (part.counts < ENOUGH)
    border = seen & ((part.values <= 0.0) | (part.values == 1.0))
    border &= np.arange(part.values.size) != part.scale
    lines = [
        _line(part, few, part.counts, f"rests on fewer than {ENOUGH} {part.what}"),
        _line(part, border, part.values, "lies on the border of [0, 1]"),
        _line(part, seen & (part.values > 1.0), part.values, "exceeds 1"),
        _line(part, ~seen, part.values, f"has no {part.what} at all and is set to a default"),
    ]
    return [line for line in lines if line]


def _line(
    part: Evidence, concerned: NDArray[np.bool_], numbers: NDArray[np.float64], what: str
) -> str:
    places = np.flatnonzero(concerned)
    if places.size == 0:
        return ""
    named = ", ".join(f"{part.labels[n]} ({numbers[n]:.6g})" for n in places[:MOST_NAMED])
    more = f" and {places.size - MOST_NAMED} more" if places.size > MOST_NAMED else ""
    return f"{part.parameter} {what} for {places.size} of {len(part.labels)}: {named}{more}"
