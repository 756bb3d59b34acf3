"""Turn the counted rows of a backend into one `QueryStatistics` per query.

Items are numbered within their query, in text order of their ids. Numbers are found by binary
search of (query, id) among all pairs of the log, without a Python loop over rows.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.extras import optional
from unirank.logs.reading.expressions import item_columns
from unirank.logs.statistics import (
    Chains,
    FirstClick,
    Integers,
    LastClick,
    Pages,
    QueryStatistics,
    Shown,
)

Rows = Any  # a pyarrow.Table


class Numbering:
    """Numbers of queries, in the given order, and of items within their query."""

    def __init__(self, queries: Sequence[str], pairs: Rows) -> None:
        arrow, self._compute = optional("pyarrow", "logs"), optional("pyarrow.compute", "logs")
        self.queries = tuple(queries)
        self._queries = arrow.array(self.queries, arrow.string())
        ids = pairs["item"].combine_chunks().cast(arrow.string()).unique()
        self._ids = ids.take(self._compute.sort_indices(ids))
        self._keys = np.unique(self._key(self.query(pairs), pairs["item"]))
        self._starts = np.searchsorted(self._keys, np.arange(len(queries) + 1) * len(self._ids))

    def query(self, rows: Rows) -> Integers:
        return self._index(rows["query"], self._queries)

    def item(self, query: Integers, ids: Any) -> Integers:
        """Return the numbers of items, given the numbers of their queries; -1 if the id is null."""
        found = np.searchsorted(self._keys, self._key(query, ids)) - self._starts[query]
        return np.where(ids.is_null().to_numpy(), -1, found)

    def items(self, query: int) -> tuple[str, ...]:
        keys = self._keys[self._starts[query] : self._starts[query + 1]]
        return tuple(self._ids.take(keys - query * len(self._ids)).to_pylist())

    def _key(self, query: Integers, ids: Any) -> Integers:
        return query * len(self._ids) + self._index(ids, self._ids)

    def _index(self, values: Any, among: Any) -> Integers:
        found = self._compute.index_in(values.cast(among.type), value_set=among)
        return np.asarray(found.fill_null(-1).to_numpy(), np.int64)


def collected(
    numbering: Numbering,
    counted: Mapping[str, Rows],
    n_positions: int,
    n_sessions: Mapping[str, int],
) -> list[QueryStatistics]:
    """Return the statistics of each query, with the tables that were counted."""
    tables: dict[str, list[Any]] = {}
    for name, kind in (("shown", Shown), ("first_click", FirstClick), ("last_click", LastClick)):
        if name in counted:
            parts = by_query(numbering, counted[name], kind._fields)
            tables[name] = [kind(*part) for part in parts]
    if "tails" in counted:
        tables["chains"] = _chains(numbering, counted["above"], counted["tails"], n_positions)
    return [
        QueryStatistics(
            query,
            numbering.items(n),
            n_positions,
            n_sessions.get(query, 0),
            **{name: parts[n] for name, parts in tables.items()},
        )
        for n, query in enumerate(numbering.queries)
    ]


def collected_pages(numbering: Numbering, rows: Rows, n_positions: int) -> list[Pages]:
    """Return the different pages of each query, sorted by items and clicks."""
    query = numbering.query(rows)
    items = _items(numbering, query, rows, n_positions)
    masks = rows["mask"].to_numpy()
    order = np.lexsort((masks, *items.T[::-1], query))
    clicks = (masks[:, None] >> np.arange(n_positions)) & 1 == 1
    sessions = rows["sessions"].to_numpy()
    return [
        Pages(name, items[part], clicks[part], sessions[part].astype(np.int64))
        for name, part in zip(numbering.queries, _parts(numbering, query, order), strict=True)
    ]


def by_query(numbering: Numbering, rows: Rows, fields: Sequence[str]) -> list[list[Integers]]:
    """Return one list of columns per query, rows sorted by item, position and last click."""
    query = numbering.query(rows)
    columns = {
        name: numbering.item(query, rows["item"]) if name == "item" else _integers(rows[name])
        for name in fields
    }
    keys = [columns[name] for name in fields if name in ("item", "position", "last")]
    order = np.lexsort((*keys[::-1], query))
    parts = _parts(numbering, query, order)
    return [[column[part] for column in columns.values()] for part in parts]


def _chains(numbering: Numbering, above: Rows, tails: Rows, n_positions: int) -> list[Chains]:
    heads = by_query(numbering, above, Chains._fields[:5])
    query, clicked = numbering.query(tails), _integers(tails["clicked"])
    items = _items(numbering, query, tails, n_positions)
    order = np.lexsort((*items.T[::-1], clicked, query))
    sessions = _integers(tails["sessions"])
    parts = _parts(numbering, query, order)
    return [
        Chains._make([*head, items[part], clicked[part], sessions[part]])
        for head, part in zip(heads, parts, strict=True)
    ]


def _items(numbering: Numbering, query: Integers, rows: Rows, n_positions: int) -> Integers:
    columns = [numbering.item(query, rows[name]) for name in item_columns(n_positions)]
    return np.stack(columns, axis=1)


def _parts(
    numbering: Numbering, query: Integers, order: NDArray[np.intp]
) -> list[NDArray[np.intp]]:
    """Return the row numbers of each query, in the given order."""
    bounds = np.searchsorted(query[order], np.arange(len(numbering.queries) + 1))
    return [order[low:high] for low, high in pairwise(bounds)]


def _integers(column: Any) -> Integers:
    return np.asarray(column.to_numpy(), np.int64)
