"""Ordered partitions of the items, and the rankings compatible with them."""

from collections.abc import Iterator, Sequence
from math import perm, prod

from unirank.policies.base.round_rng import Draws

Subset = tuple[int, ...]
Partition = tuple[Subset, ...]


def with_first_places(partition: Partition) -> Iterator[tuple[int, Subset]]:
    """Each subset with the place where it starts."""
    first_place = 0
    for subset in partition:
        yield first_place, subset
        first_place += len(subset)


def displayed_subsets(partition: Partition, n_positions: int) -> list[Subset]:
    """Subsets that reach the page."""
    return [subset for first, subset in with_first_places(partition) if first < n_positions]


def differing_clicks(
    partition: Partition, ranking: Sequence[int], clicks: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """Yield (i, j) for items of one displayed subset where i was clicked and j was not.

    An item that found no place on the page counts as not clicked.
    """
    clicked = {item for item, click in zip(ranking, clicks, strict=True) if click}
    for subset in displayed_subsets(partition, len(ranking)):
        for i in subset:
            if i in clicked:
                yield from ((i, j) for j in subset if j not in clicked)


def draw_ranking(partition: Partition, n_positions: int, draws: Draws) -> list[int]:
    """Shuffle each subset, concatenate, and keep what fits on the page."""
    order: list[int] = []
    for first_place, subset in with_first_places(partition):
        order += shuffled_prefix(list(subset), first_place, n_positions, draws)
    return order[:n_positions]


def shuffled_prefix(items: list[int], first_place: int, n_places: int, draws: Draws) -> list[int]:
    """Shuffle a list that starts at first_place of a page, as far as place n_places.

    Draw p fills place p of the page, whichever subset of items stands there.
    """
    order = list(items)
    end = first_place + len(order)
    for place in range(first_place, min(n_places, end - 1)):
        filled = place - first_place
        chosen = filled + draws.below(place, end - place)
        order[filled], order[chosen] = order[chosen], order[filled]
    return order


def is_compatible(ranking: Sequence[int], partition: Partition, n_positions: int) -> bool:
    """Whether the ranking shows the subsets one after the other."""
    if len(ranking) != n_positions or len(set(ranking)) != n_positions:
        return False
    return all(
        set(ranking[first : first + len(subset)]) <= set(subset)
        for first, subset in with_first_places(partition)
    )


def n_compatible_rankings(partition: Partition, n_positions: int) -> int:
    """Count the lists of n_positions items that respect the partition."""
    return prod(
        perm(len(subset), min(len(subset), n_positions - first))
        for first, subset in with_first_places(partition)
        if first < n_positions
    )
