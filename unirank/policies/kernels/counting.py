"""How often each of many keys was seen: an open-addressing table in two arrays.

A table never grows by itself. Callers keep it at most half full (`filled_table` makes a larger
one), so a search always meets its key or a free place.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

FREE = np.uint64(0)  # no key is 0: `find` reads key 0 as 1
SMALLEST = 1024


@compiled
def find(keys: NDArray[np.uint64], key: np.uint64) -> int:
    """Place of `key` in the table, or the free place where it belongs."""
    mask = np.uint64(keys.size - 1)
    wanted = max(key, np.uint64(1))
    place = wanted & mask
    while keys[place] != wanted and keys[place] != FREE:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)  # type: ignore[return-value]


def filled_table(
    keys: NDArray[np.uint64], counts: NDArray[Any]
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Keys and counts of a table, at most a quarter full, that holds these counts."""
    capacity = SMALLEST
    while capacity < 4 * len(keys):
        capacity *= 2
    table = np.full(capacity, FREE), np.zeros(capacity, counts.dtype)
    for key, count in zip(keys, counts, strict=True):
        place = find(table[0], key)
        table[0][place] = key
        table[1][place] = count
    return table
