"""The pages of a synthetic log: a few rankings per query, as real logs show few different ones.

Page p of query number q is a uniform ranking, drawn at (seed, game q, GAME, round p). It has the
wanted number of positions, or as many as its query has items and its click model positions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.click_models import ClickModel
from unirank.errors import ArgumentError
from unirank.kernels.randomness import GAME, address
from unirank.kernels.shuffling import shuffle_prefix

Ids = dict[str, tuple[int | str, ...]]  # of the items, by query


@dataclass(frozen=True)
class Pages:
    """Every page of every query, in the order of the queries; items as numbers over all queries."""

    queries: tuple[str, ...]
    items: tuple[str, ...]  # ids
    first_item: NDArray[np.int64]  # (n_queries,) number of its first item
    query: NDArray[np.int64]  # (n_pages,)
    shown: NDArray[np.int64]  # (n_pages, width) item; -1 beyond the end of a short page
    length: NDArray[np.int64]  # (n_pages,)

    @property
    def width(self) -> int:
        """Positions of the longest page."""
        return int(self.shown.shape[1])

    def rankings(self, query: int) -> NDArray[np.int64]:
        """The pages of one query, in the items of its click model."""
        low, high = np.searchsorted(self.query, [query, query + 1])
        return self.shown[low:high, : self.length[low]] - self.first_item[query]


def drawn_pages(
    users: Mapping[str, ClickModel], items: Ids, n_positions: int, n_pages: int, seed: int
) -> Pages:
    """Draw `n_pages` pages for each query."""
    sizes = np.array([each.n_items for each in users.values()])
    lengths = [min(n_positions, each.n_items, each.n_positions) for each in users.values()]
    first_item = np.cumsum(sizes) - sizes
    shown = np.full((len(users) * n_pages, max(lengths)), -1, np.int64)
    for query, (size, length) in enumerate(zip(sizes.tolist(), lengths, strict=True)):
        for page in range(n_pages):
            ranking = np.arange(size)
            shuffle_prefix(ranking, 0, size, length, address(seed, query, GAME, page))
            shown[query * n_pages + page, :length] = ranking[:length] + first_item[query]
    query_of = np.repeat(np.arange(len(users)), n_pages)
    ids = tuple(str(item) for query in users for item in items[query])
    return Pages(tuple(users), ids, first_item, query_of, shown, np.repeat(lengths, n_pages))


def ids_of(users: Mapping[str, ClickModel], items: Mapping[str, Sequence[int | str]] | None) -> Ids:
    """Ids of the items by query, if the users can share a log."""
    if not users:
        raise ArgumentError("users must not be empty, got {}")
    names = sorted({each.name for each in users.values()})
    if len(names) > 1:
        raise ArgumentError(f"users must be of one click model, got {names}")
    if items is None:
        return numbered(users)
    found: Ids = {}
    for query, each in users.items():
        if query not in items:
            raise ArgumentError(f"items must have ids for query {query!r}")
        found[query] = arguments.item_ids(items[query], f"items of query {query!r}")
        if len(found[query]) != each.n_items:
            raise ArgumentError(
                f"items of query {query!r} must be {each.n_items} ids, got {len(found[query])}"
            )
    return found


def numbered(users: Mapping[str, ClickModel]) -> Ids:
    """Ids for items that have none: numbers from 1, different in each query."""
    found: Ids = {}
    start = 1
    for query, each in users.items():
        found[query] = tuple(range(start, start + each.n_items))
        start += each.n_items
    return found
