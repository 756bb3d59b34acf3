"""The worst ranking that is compatible with an order: is it as good as the best of all?

A ranking is compatible with an ordered partition of the items if it shows the items of the first
subset first, in any order, then those of the second, and so on down the page. Equivalently, its
item at position k has the level (number of its subset) that the k-th of all items has when they are
sorted by level.
"""

from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.click_models.search import next_ranking
from unirank.kernels.compiling import bind
from unirank.theory.closed_forms import closed_worst_compatible
from unirank.theory.order import Order, levels
from unirank.theory.pairs import N_SAMPLED, Method


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("search_worst must be bound to a click model")


def search_worst(
    model: Any,
    ranking: NDArray[np.int64],  # (n_positions,) 0, 1, 2, ...: the first
    used: NDArray[np.bool_],  # (n_items,) whether in `ranking`
    level: NDArray[np.int64],  # (n_items,)
    wanted: NDArray[np.int64],  # (n_positions,) level of a compatible ranking's item, by position
    expected: NDArray[np.float64],  # (n_positions,) scratch
    worst: NDArray[np.int64],  # (n_positions,) out
) -> None:
    """Fill `worst` with the compatible ranking of fewest expected clicks."""
    fewest = np.inf
    while True:
        compatible = True
        for position in range(ranking.size):
            if level[ranking[position]] != wanted[position]:
                compatible = False
                break
        if compatible:
            total = expected_clicks(model, ranking, expected)
            if total < fewest:
                fewest = total
                for position in range(ranking.size):
                    worst[position] = ranking[position]
        if not next_ranking(ranking, used):
            return


def worst_compatible(
    users: ClickModel, order: Order, n_positions: int, method: Method, seed: int = 0
) -> tuple[int, ...]:
    """Of the rankings compatible with the order, one with the fewest expected clicks."""
    if method == "closed form":
        return closed_worst_compatible(users, order, n_positions)
    if method == "sampled":
        return min(drawn_compatible(order, n_positions, seed), key=users.value)
    level = levels(order)
    worst = np.empty(n_positions, np.int64)
    search = bind(search_worst, users.name, expected_clicks=users.kernels.expected_clicks)
    search(
        users.parameters,
        np.arange(n_positions),
        np.arange(users.n_items) < n_positions,
        level,
        np.sort(level)[:n_positions],
        np.zeros(n_positions),
        worst,
    )
    return tuple(worst.tolist())


def n_compatible(order: Order, n_positions: int) -> int:
    """How many rankings are compatible with the order."""
    count, room = 1, n_positions
    for subset in order:
        count *= perm(len(subset), min(len(subset), room))
        room -= min(len(subset), room)
    return count


def drawn_compatible(order: Order, n_positions: int, seed: int) -> list[tuple[int, ...]]:
    """Some compatible rankings, uniformly at random: all there is to draw if there is one only."""
    rng = np.random.default_rng(seed)
    n = min(N_SAMPLED, 20 * n_compatible(order, n_positions))
    drawn = set()
    for _ in range(n if n_compatible(order, n_positions) > 1 else 1):
        ranking = np.concatenate([rng.permutation(subset) for subset in order])[:n_positions]
        drawn.add(tuple(ranking.tolist()))
    return sorted(drawn)
