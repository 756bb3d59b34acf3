"""The list of largest total weight, by the Hungarian algorithm in its textbook form.

Positions are added one by one. Each addition changes the labels (dual variables) of positions and
items until an augmenting path reaches a free item. O(n_positions^2 n_items). Costs are minus the
weights; indices count from 1, and 0 stands for none.
"""

from collections.abc import Sequence
from math import inf


def best_assignment(weights: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Return the item of each position."""
    n_positions, n_items = len(weights), len(weights[0])
    row_label = [0.0] * (n_positions + 1)
    item_label = [0.0] * (n_items + 1)
    owner = [0] * (n_items + 1)
    for position in range(1, n_positions + 1):
        owner[0] = position
        item = 0
        least = [inf] * (n_items + 1)
        came_from = [0] * (n_items + 1)
        used = [False] * (n_items + 1)
        while owner[item] != 0:
            used[item] = True
            row = owner[item]
            for j in range(1, n_items + 1):
                if not used[j]:
                    slack = -weights[row - 1][j - 1] - row_label[row] - item_label[j]
                    if slack < least[j]:
                        least[j], came_from[j] = slack, item
            nearest = min((j for j in range(1, n_items + 1) if not used[j]), key=least.__getitem__)
            change = least[nearest]
            for j in range(n_items + 1):
                if used[j]:
                    row_label[owner[j]] += change
                    item_label[j] -= change
                else:
                    least[j] -= change
            item = nearest
        while item != 0:
            owner[item] = owner[came_from[item]]
            item = came_from[item]
    found = [0] * n_positions
    for j in range(1, n_items + 1):
        if owner[j] != 0:
            found[owner[j] - 1] = j - 1
    return tuple(found)
