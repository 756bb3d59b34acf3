"""The values of many rankings, for click models whose best ranking no theorem gives."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 50_000  # rankings at a time


def all_rankings(n_items: int, n_positions: int) -> Iterator[NDArray[np.int64]]:
    """Yield every ranking, in lexicographic order, as rows of arrays."""
    return in_arrays(permutations(range(n_items), n_positions), n_positions)


def in_arrays(rankings: Iterable[Sequence[int]], n_positions: int) -> Iterator[NDArray[np.int64]]:
    """Put rankings into the rows of arrays of limited size."""
    rest = iter(rankings)
    while True:
        items = np.fromiter(chain.from_iterable(islice(rest, CHUNK)), np.int64)
        if not items.size:
            return
        yield items.reshape(-1, n_positions)


def value(model: Any, ranking: Any, scratch: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("fill_values must be bound to a click model")


def fill_values(
    model: Any,
    rankings: NDArray[np.int64],  # (n_rankings, n_positions)
    scratch: NDArray[np.float64],  # (n_positions,)
    values: NDArray[np.float64],  # (n_rankings,) out
) -> None:
    """Fill `values` with the value of each ranking."""
    for r in range(rankings.shape[0]):
        values[r] = value(model, rankings[r], scratch)
