"""The worst ranking that is compatible with an order.

A ranking is compatible with an ordered partition of the items if it shows the items of the first
subset first, in any order, then those of the second, and so on down the page.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, permutations

import numpy as np

from unirank.lab.theory.closed_forms import closed_worst_compatible
from unirank.lab.theory.order import Order
from unirank.lab.theory.pairs import N_SAMPLED, Method
from unirank.users import ClickModel
from unirank.users.search import in_arrays


def worst_compatible(
    users: ClickModel, order: Order, n_positions: int, method: Method, seed: int = 0
) -> tuple[int, ...]:
    """Return a ranking compatible with the order that has the fewest expected clicks."""
    if method == "closed form":
        return closed_worst_compatible(users, order, n_positions)
    rankings: Iterable[tuple[int, ...]] = compatible_rankings(order, n_positions)
    if method == "sampled":
        rankings = some_compatible(order, n_positions, seed)
    worst, fewest = (), np.inf
    for some in in_arrays(rankings, n_positions):
        values = users.values(some)
        if values.min() < fewest:
            worst, fewest = tuple(some[values.argmin()].tolist()), values.min()
    return worst


def compatible_rankings(order: Order, n_positions: int) -> Iterator[tuple[int, ...]]:
    """Yield every ranking that is compatible with the order, in lexicographic order."""
    if not order or n_positions == 0:
        yield ()
        return
    for head in permutations(order[0], min(len(order[0]), n_positions)):
        for tail in compatible_rankings(order[1:], n_positions - len(head)):
            yield head + tail


def some_compatible(order: Order, n_positions: int, seed: int) -> list[tuple[int, ...]]:
    """Return all compatible rankings if they are few, otherwise some drawn uniformly at random."""
    few = list(islice(compatible_rankings(order, n_positions), N_SAMPLED + 1))
    if len(few) <= N_SAMPLED:
        return few
    rng = np.random.default_rng(seed)
    drawn = set()
    for _ in range(N_SAMPLED):
        ranking = np.concatenate([rng.permutation(subset) for subset in order])[:n_positions]
        drawn.add(tuple(ranking.tolist()))
    return sorted(drawn)
