"""The selection of queries, items and positions, and the paper's selections as presets."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.reading.expressions import LARGEST_PAGE, Table, ibis


class Selection(NamedTuple):
    """The part of a log to read; None and 0 select everything."""

    n_queries: int | None = None  # the most frequent
    queries: tuple[str, ...] | None = None  # these, in this order
    n_positions: int | None = None
    min_displays: int = 0  # of each item, at each position
    min_items: int = 0  # of each query, counting items with `min_displays`
    one_display_per_line: bool = False  # ignore the number of impressions
    n_items: int | None = None  # keep the most attractive items after the fit


class Request(NamedTuple):
    """The checked arguments of `read_statistics`."""

    selection: Selection
    tables: set[str]  # of statistics.py
    held_out: float
    max_bad: float


PRESETS = {
    "kdd": Selection(n_positions=3, min_displays=1000, min_items=5, one_display_per_line=True),
    "yandex": Selection(n_queries=10, n_items=10),
}


def selection(preset: str | None, **given: Any) -> Selection:
    """Return the preset with the given values in place of its own; raise for wrong values."""
    start = (
        Selection()
        if preset is None
        else PRESETS[arguments.choice("preset", preset, list(PRESETS))]
    )
    selected = start._replace(**{name: value for name, value in given.items() if value is not None})
    if given.get("queries") is not None and given.get("n_queries") is not None:
        raise ArgumentError("pass either queries or n_queries, not both")
    if selected.queries is not None:
        selected = selected._replace(queries=_names(selected.queries), n_queries=None)
    for name, low in (("n_queries", 1), ("n_positions", 1), ("min_displays", 0), ("min_items", 0)):
        value = getattr(selected, name)
        if value is not None:
            arguments.integer(name, value, low)
    if selected.n_positions is not None:
        require_bits(selected.n_positions)
    return selected


def require_bits(n_positions: int) -> None:
    arguments.integer("n_positions", n_positions, 1, LARGEST_PAGE, "the bits of a click mask, ")


def _names(queries: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(queries, str) or not queries:
        raise ArgumentError(f"queries must be a list of query ids, got {queries!r}")
    return tuple(dict.fromkeys(str(query) for query in queries))


def most_frequent(frequencies: Table, selected: Selection) -> Table:
    """Select rows of `frequencies` (query, weight, width), the most frequent query first."""
    if selected.queries is not None:
        return frequencies.filter(frequencies.query.isin(list(selected.queries)))
    ordered = frequencies.order_by([ibis().desc("weight"), ibis().asc("query")])
    return ordered if selected.n_queries is None else ordered.limit(selected.n_queries)


def in_order(found: Sequence[str], selected: Selection) -> list[str]:
    """Return the queries in the order asked for; raise if one is not in the log."""
    if not found and selected.queries is None:
        rule = f" with {selected.min_items} items" if selected.min_items else ""
        shows = (
            f" shown {selected.min_displays:,} times at each position"
            if selected.min_displays
            else ""
        )
        raise ArgumentError(f"the log has no query{rule}{shows}")
    if selected.queries is None:
        return list(found)
    for query in selected.queries:
        if query not in set(found):
            raise ArgumentError(f"query {query!r} is not in the log")
    return list(selected.queries)


def often_shown(cells: Table, n_positions: int, selected: Selection) -> Table:
    """Select cells of items with `min_displays` at each position, in queries with `min_items`."""
    cells = cells.filter(cells.position < n_positions)
    if selected.min_displays:
        enough = cells.filter(cells.impressions >= selected.min_displays)
        counted = enough.group_by("query", "item").agg(n_filled=enough.count())
        kept = counted.filter(counted.n_filled == n_positions)
        cells = cells.semi_join(kept, ["query", "item"])
    if selected.min_items:
        items = cells.select("query", "item").distinct()
        counted = items.group_by("query").agg(n_items=items.count())
        cells = cells.semi_join(counted.filter(counted.n_items >= selected.min_items), "query")
    return cells
