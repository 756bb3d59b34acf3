"""Ordered partitions of the items, and the rankings compatible with them."""

from collections.abc import Iterator, Sequence
from math import perm, prod

from .randomness import Rng, shuffled_prefix

Subset = tuple[int, ...]
Partition = tuple[Subset, ...]


def with_first_places(partition: Partition) -> Iterator[tuple[int, Subset]]:
    first_place = 0
    for subset in partition:
        yield first_place, subset
        first_place += len(subset)


def displayed_subsets(partition: Partition, n_positions: int) -> list[Subset]:
    return [subset for first, subset in with_first_places(partition) if first < n_positions]


def draw_ranking(partition: Partition, n_positions: int, rng: Rng) -> list[int]:
    """Shuffle each subset, concatenate, and keep what fits on the page."""
    order: list[int] = []
    for first_place, subset in with_first_places(partition):
        order += shuffled_prefix(list(subset), first_place, n_positions, rng)
    return order[:n_positions]


def is_compatible(ranking: Sequence[int], partition: Partition, n_positions: int) -> bool:
    if len(ranking) != n_positions or len(set(ranking)) != n_positions:
        return False
    return all(
        set(ranking[first : first + len(subset)]) <= set(subset)
        for first, subset in with_first_places(partition)
    )


def n_compatible_rankings(partition: Partition, n_positions: int) -> int:
    return prod(
        perm(len(subset), min(len(subset), n_positions - first))
        for first, subset in with_first_places(partition)
        if first < n_positions
    )
