"""Which items the clicks of a log can compare, where attraction is multiplied by examination.

Items and cells (positions, or positions with the last click above) are the nodes of a graph, with
an edge where an item was shown in a cell. Within a connected part of it, attraction and examination
are determined up to one factor. Between two parts nothing is: halving the attraction of one
part's items and doubling the examination of its cells leaves the likelihood unchanged. Items and
cells without any click do not connect: their product is 0 whatever the other factor is.
"""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MOST_NAMED = 3


def comparable_groups(item: Integers, cell: Integers, clicks: Integers, n_items: int) -> Integers:
    """Return the group of each item, named by its first item; -1 for an item without a click.

    `item`, `cell` and `clicks` have one element per item and cell that were seen together.
    """
    n_cells = int(cell.max(initial=-1)) + 1
    clicked = np.bincount(item, clicks, n_items) > 0
    edge = clicked[item] & (np.bincount(cell, clicks, n_cells) > 0)[cell]
    item, cell = item[edge], cell[edge]
    group = np.where(clicked, np.arange(n_items), -1)
    while True:
        of_cell = np.full(n_cells, n_items)
        np.minimum.at(of_cell, cell, group[item])
        joined = group.copy()
        np.minimum.at(joined, item, of_cell[cell])
        if np.array_equal(joined, group):
            return group
        group = joined


def unidentified(groups: Integers, items: tuple[str, ...]) -> str:
    """Say which items cannot be compared; "" if all can."""
    several = [np.flatnonzero(groups == first) for first in np.unique(groups) if first >= 0]
    if len(several) < 2:
        return ""
    named = " | ".join(
        _named([items[item] for item in members]) for members in several[:MOST_NAMED]
    )
    more = f" and {len(several) - MOST_NAMED} more" if len(several) > MOST_NAMED else ""
    return (
        "the log cannot tell good items from good positions: it has "
        f"{len(several)} groups of items that never shared a position, {named}{more}"
    )


def stood_at_one_place(item: Integers, position: Integers) -> bool:
    """Whether each of several items was always shown at one and the same position.

    `item` and `position` have one element for each item and position that were seen together.
    """
    return np.unique(position).size > 1 and np.unique(item).size == item.size


def _named(items: list[str]) -> str:
    return ", ".join(items[:MOST_NAMED]) + (", ..." if len(items) > MOST_NAMED else "")
