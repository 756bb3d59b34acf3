"""Neighbours of a list: two positions exchanged, or one item replaced."""

from collections.abc import Sequence

Ranked = tuple[int, ...]


def swap(ranking: Sequence[int], k: int, m: int) -> Ranked:
    """Exchange the items of two positions."""
    other = list(ranking)
    other[k], other[m] = ranking[m], ranking[k]
    return tuple(other)


def replace(ranking: Sequence[int], k: int, item: int) -> Ranked:
    """Show another item at position k."""
    return (*ranking[:k], item, *ranking[k + 1 :])
