"""Real problems: one click model per query, with as many items and positions as wanted.

The files of the paper's experiments list items and positions in no order that matters, so the
largest are kept, each sorted decreasingly, as the paper does. The click models fitted to the
relevance-prediction log keep their items together with all that was fitted to them, and their
positions in the order of the page.
"""

from collections.abc import Iterable
from typing import Any

from unirank import arguments
from unirank.click_models import ClickModel
from unirank.click_models.position_based import COUPLINGS
from unirank.datasets.catalogue import DATA_SETS, DataSet, Fitted, data_set, fitted
from unirank.errors import ArgumentError, UnknownNameError


def list_datasets() -> list[str]:
    """Names that `load_problems` knows."""
    return list(DATA_SETS)


def load_problems(
    name: str,
    *,
    n_queries: int | None = None,
    queries: Iterable[str | int] | None = None,
    n_items: int | None = None,
    n_positions: int | None = None,
    coupling: str = "independent",
) -> dict[str, ClickModel]:
    """Click models by query id, in the file's order: all, the first `n_queries`, or `queries`.

    `n_items` keeps the most attractive items, `n_positions` the most examined positions (those of
    the relevance-prediction log: the first). A click model without parameters per position has as
    many positions as items; there `n_positions` is only checked.
    """
    chosen = data_set(name)
    arguments.choice("coupling", coupling, COUPLINGS)
    fixed = {"click_model": chosen.click_model}
    if chosen.click_model == "pbm":
        fixed["coupling"] = coupling
    elif coupling != "independent":
        raise ArgumentError(
            f"coupling must be 'independent' for {name}, whose click model is "
            f"{chosen.click_model} and not pbm, got {coupling!r}"
        )
    found = fitted(name)
    problems = {}
    for query in _selected(list(found), n_queries, queries):
        kept = _kept(chosen, query, found[query], n_items, n_positions)
        try:
            problems[query] = ClickModel.from_dict(kept | fixed)
        except ArgumentError as error:
            raise ArgumentError(
                f"query {query!r} of {name} cannot be a click model: {error}; choose "
                f"others with queries=[...] or n_queries"
            ) from None
    return problems


def _selected(known: list[str], n_queries: int | None, queries: Any) -> list[str]:
    """Query ids in the file's order."""
    if queries is None:
        return known[: _count("n_queries", n_queries, len(known), "queries in the file=")]
    if n_queries is not None:
        raise ArgumentError(f"n_queries must be None where queries are given, got {n_queries!r}")
    if isinstance(queries, str | bytes) or not isinstance(queries, Iterable):
        raise ArgumentError(f"queries must be a list of query ids, got {queries!r}")
    ids = [str(query) for query in queries]
    if not ids:
        raise ArgumentError("queries must not be empty, got []")
    for query in ids:
        if query not in known:
            raise UnknownNameError("query", query, known)
        if ids.count(query) > 1:
            raise ArgumentError(f"queries must be unique, got {query!r} twice")
    return [query for query in known if query in ids]


def _kept(
    chosen: DataSet, query: str, values: Fitted, n_items: int | None, n_positions: int | None
) -> Fitted:
    """Arguments of the click model of the items and positions that are wanted."""
    of_query = f"of query {query!r}="
    attraction = values["attraction"]
    count = _count("n_items", n_items, len(attraction), f"items {of_query}")
    by_attraction = sorted(range(len(attraction)), key=lambda item: -attraction[item])[:count]
    items = by_attraction if chosen.sorts else sorted(by_attraction)
    _count("n_positions", n_positions, count, "n_items=")
    kept = {}
    for key, value in values.items():
        if key in chosen.model.per_item:
            kept[key] = [value[item] for item in items]
        elif isinstance(value, list):
            wanted = _count("n_positions", n_positions, len(value), f"positions {of_query}")
            positions = sorted(value, reverse=True) if chosen.sorts else value
            kept[key] = [_row(position, wanted) for position in positions[:wanted]]
        else:
            kept[key] = value
    return kept


def _count(name: str, wanted: int | None, high: int, note: str) -> int:
    return high if wanted is None else arguments.integer(name, wanted, 1, high, note)


def _row(position: Any, n_positions: int) -> Any:
    """A position's number or, by last click, its row: earlier positions, then no click yet."""
    if isinstance(position, list):
        return [*position[: n_positions - 1], position[-1]]
    return position
