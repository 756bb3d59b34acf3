"""Which queries, items and positions of a log are read; the paper's choices as presets."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.reading.relations import LARGEST_PAGE, Table, ibis


class Choice(NamedTuple):
    """What is kept of a log; None and 0 keep all.

    `n_items` is for whoever fits: so many items, the most attractive ones, are kept afterwards.
    """

    n_queries: int | None = None  # the most frequent
    queries: tuple[str, ...] | None = None  # these, in this order
    n_positions: int | None = None
    min_displays: int = 0  # of an item, at each position
    min_items: int = 0  # of a query, with so many displays
    one_display_per_line: bool = False  # whatever the number of impressions says
    n_items: int | None = None


class Wanted(NamedTuple):
    """All that a reading is asked for, checked."""

    chosen: Choice
    tables: set[str]  # of statistics.py
    held_out: float
    max_bad: float


PRESETS = {
    "kdd": Choice(n_positions=3, min_displays=1000, min_items=5, one_display_per_line=True),
    "yandex": Choice(n_queries=10, n_items=10),
}


def choice(preset: str | None, **given: Any) -> Choice:
    """The preset, with what is given besides in place of its values; all checked."""
    start = (
        Choice() if preset is None else PRESETS[arguments.choice("preset", preset, list(PRESETS))]
    )
    chosen = start._replace(**{name: value for name, value in given.items() if value is not None})
    if given.get("queries") is not None and given.get("n_queries") is not None:
        raise ArgumentError("pass either queries or n_queries, not both")
    if chosen.queries is not None:
        chosen = chosen._replace(queries=_names(chosen.queries), n_queries=None)
    for name, low in (("n_queries", 1), ("n_positions", 1), ("min_displays", 0), ("min_items", 0)):
        value = getattr(chosen, name)
        if value is not None:
            arguments.integer(name, value, low)
    if chosen.n_positions is not None:
        require_bits(chosen.n_positions)
    return chosen


def require_bits(n_positions: int) -> None:
    arguments.integer("n_positions", n_positions, 1, LARGEST_PAGE, "the bits of a click mask, ")


def _names(queries: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(queries, str) or not queries:
        raise ArgumentError(f"queries must be a list of query ids, got {queries!r}")
    return tuple(dict.fromkeys(str(query) for query in queries))


def most_frequent(frequencies: Table, chosen: Choice) -> Table:
    """Rows of the chosen queries, the most frequent first; columns query, weight, width."""
    if chosen.queries is not None:
        return frequencies.filter(frequencies.query.isin(list(chosen.queries)))
    ordered = frequencies.order_by([ibis().desc("weight"), ibis().asc("query")])
    return ordered if chosen.n_queries is None else ordered.limit(chosen.n_queries)


def in_order(found: Sequence[str], chosen: Choice) -> list[str]:
    """The queries that were found, in the order asked for; or say which one is not in the log."""
    if not found and chosen.queries is None:
        rule = f" with {chosen.min_items} items" if chosen.min_items else ""
        shows = (
            f" shown {chosen.min_displays:,} times at each position" if chosen.min_displays else ""
        )
        raise ArgumentError(f"the log has no query{rule}{shows}")
    if chosen.queries is None:
        return list(found)
    for query in chosen.queries:
        if query not in set(found):
            raise ArgumentError(f"query {query!r} is not in the log")
    return list(chosen.queries)


def often_shown(cells: Table, n_positions: int, chosen: Choice) -> Table:
    """Cells of items with enough displays at each position, of queries with enough such items."""
    cells = cells.filter(cells.position < n_positions)
    if chosen.min_displays:
        enough = cells.filter(cells.impressions >= chosen.min_displays)
        counted = enough.group_by("query", "item").agg(n_filled=enough.count())
        kept = counted.filter(counted.n_filled == n_positions)
        cells = cells.semi_join(kept, ["query", "item"])
    if chosen.min_items:
        items = cells.select("query", "item").distinct()
        counted = items.group_by("query").agg(n_items=items.count())
        cells = cells.semi_join(counted.filter(counted.n_items >= chosen.min_items), "query")
    return cells
