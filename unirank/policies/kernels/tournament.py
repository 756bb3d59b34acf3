"""A tournament tree: the largest of many values that change one at a time, and all who tie for it.

It is two arrays of the same size, a power of two. Node 1 is the root, node n has the children 2n
and 2n + 1, and the leaves are the second half. Each node keeps the largest value below it and how
many leaves have it. A change updates only the nodes above its leaf.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled

ABSENT = -1.0  # the value of a place without a player: below every mean


def empty_tournament(n_players: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Values and counts of a tournament with room for `n_players`, none of them there yet."""
    room = 1
    while room < n_players:
        room *= 2
    counts = np.ones(2 * room, np.int64)
    for node in range(room - 1, 0, -1):
        counts[node] = counts[2 * node] + counts[2 * node + 1]
    return np.full(2 * room, ABSENT), counts


@compiled
def enter(
    values: NDArray[np.float64], counts: NDArray[np.int64], player: int, value: float
) -> None:
    """Give `player` this value."""
    node = values.size // 2 + player
    values[node] = value
    node //= 2
    while node > 0:
        left, right = 2 * node, 2 * node + 1
        value = max(values[left], values[right])
        count = 0
        if values[left] == value:
            count += counts[left]
        if values[right] == value:
            count += counts[right]
        if values[node] == value and counts[node] == count:
            return
        values[node] = value
        counts[node] = count
        node //= 2


@compiled
def winner(values: NDArray[np.float64], counts: NDArray[np.int64], nth: int) -> int:
    """Player who is number `nth` = 0, 1, ... of the counts[1] players that have the largest value.

    They are numbered in ascending order.
    """
    room = values.size // 2
    node = 1
    while node < room:
        node *= 2
        count = counts[node] if values[node] == values[1] else 0
        if nth >= count:
            nth -= count
            node += 1
    return node - room
