"""The paper's definitions and assumptions, by sums over all clicks, rankings and orders."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from unirank.policies.plain.partitions import Partition, is_compatible

from .click_model import ClickModel

ROUNDING = 1e-9


def exchange(ranking: Sequence[int], i: int, j: int) -> list[int]:
    """(i,j) o a."""
    return [j if item == i else i if item == j else item for item in ranking]


def compare(model: ClickModel, ranking: Sequence[int], i: int, j: int) -> tuple[float, float]:
    """delta~_ij(a), and the expectation of c_i - c_j that is Delta~_ij(a) times it."""
    differ = difference = 0.0
    for shown in (list(ranking), exchange(ranking, i, j)):
        for clicks in product((False, True), repeat=len(shown)):
            chance = model.probability(shown, clicks) / 2
            clicked = dict(zip(shown, clicks, strict=True))
            c_i, c_j = clicked.get(i, False), clicked.get(j, False)
            differ += chance * (c_i != c_j)
            difference += chance * (c_i - c_j)
    return differ, difference


def rankings(n_items: int, n_positions: int) -> list[tuple[int, ...]]:
    return list(permutations(range(n_items), n_positions))


def least_difference(
    model: ClickModel, n_items: int, n_positions: int, i: int, j: int
) -> tuple[float, tuple[int, ...]]:
    """Smallest Delta~_ij over the rankings that show one of them; 0 where clicks never differ."""
    found = []
    for ranking in rankings(n_items, n_positions):
        if i in ranking or j in ranking:
            differ, difference = compare(model, ranking, i, j)
            found.append((difference / differ if differ > 1e-13 else 0.0, ranking))
    return min(found)


def ordered_partitions(items: tuple[int, ...]) -> Iterator[Partition]:
    if not items:
        yield ()
    for size in range(1, len(items) + 1):
        for subset in combinations(items, size):
            rest = tuple(item for item in items if item not in subset)
            for others in ordered_partitions(rest):
                yield (subset, *others)


def optimal_reward(model: ClickModel, order: Partition, n_positions: int) -> bool:
    """Assumption 3.2."""
    n_items = sum(map(len, order))
    values = {
        ranking: sum(model.expected_clicks(ranking)) for ranking in rankings(n_items, n_positions)
    }
    best = max(values.values())
    return all(
        value >= best - ROUNDING
        for ranking, value in values.items()
        if is_compatible(ranking, order, n_positions)
    )


def identifiable(model: ClickModel, order: Partition, n_positions: int) -> bool:
    """Assumption 3.3."""
    n_items = sum(map(len, order))
    return all(
        least_difference(model, n_items, n_positions, i, j)[0] > ROUNDING
        for c, subset in enumerate(order)
        for i in subset
        for later in order[c + 1 :]
        for j in later
    )


def some_order(
    model: ClickModel, n_items: int, n_positions: int, *, total: bool = False
) -> list[Partition]:
    """The strict weak orders that satisfy 3.2 and 3.3; with `total`, 3.1* as well."""
    return [
        order
        for order in ordered_partitions(tuple(range(n_items)))
        if not (total and any(len(subset) > 1 for subset in order[:n_positions]))
        if optimal_reward(model, order, n_positions) and identifiable(model, order, n_positions)
    ]
