"""The rounds at which a trace records regret."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError

PER_DECADE = 20


def log_spaced(n_rounds: int) -> NDArray[np.int64]:
    """About 20 rounds per decade, each power of ten among them, and always the last round."""
    n_steps = int(np.ceil(np.log10(n_rounds) * PER_DECADE))
    rounds = np.rint(10 ** (np.arange(n_steps + 1) / PER_DECADE)).astype(np.int64)
    return np.unique(np.append(rounds[rounds < n_rounds], n_rounds))


def as_published(n_rounds: int) -> NDArray[np.int64]:
    """The rounds of the paper: 1000 evenly and 1000 geometrically spaced, and powers of ten."""
    even = np.linspace(1, n_rounds, 1000)
    geometric = np.geomspace(1, n_rounds, 1000)
    decades = 10.0 ** np.arange(np.log10(n_rounds))
    fractions = [n for n in (n_rounds // 10, n_rounds // 100) if n]  # `evidence.growth` needs these
    chosen = np.concatenate((even, geometric, decades, fractions))
    return np.unique(np.rint(chosen).astype(np.int64))


SPACINGS = {"log": log_spaced, "published": as_published}


def checked(checkpoints: Iterable[int] | None, n_rounds: int) -> NDArray[np.int64]:
    """Return the user's checkpoints, in order, or the default ones."""
    if checkpoints is None:
        return log_spaced(n_rounds)
    if not arguments.is_list(checkpoints):
        raise ArgumentError(f"checkpoints must be a list of rounds, got {checkpoints!r}")
    rounds = sorted(
        {arguments.integer("checkpoints", c, 1, n_rounds, "n_rounds=") for c in checkpoints}
    )
    if not rounds:
        raise ArgumentError("checkpoints must not be empty, got []")
    return np.array(rounds, np.int64)
