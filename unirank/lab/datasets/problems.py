"""Real problems: one click model per query, with a given number of items and positions.

In the files of the paper's experiments the order of items and positions has no meaning, so the
largest parameters are kept, in decreasing order, as in the paper. The click models of the
relevance-prediction log and of fitted files keep the parameters of an item together, and positions
in the order of the page.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.lab.datasets.catalogue import DATA_SETS, Fitted, data_set, fitted
from unirank.lab.datasets.fitted_file import FittedFile, read_fitted
from unirank.users import ClickModel, registry
from unirank.users.position_based import COUPLINGS

ENDING = ".json"  # of a fitted file; other names are data sets


@dataclass(frozen=True)
class _QuerySet:
    """Queries with the same click model, and the ids of their items."""

    name: str
    click_model: str
    sorts: bool  # the largest first, not in the order of the page
    parameters: dict[str, Fitted]
    ids: dict[str, tuple[int | str, ...]]


def list_datasets() -> list[str]:
    """Return the names of the data sets."""
    return list(DATA_SETS)


def load_problems(
    name: str | os.PathLike[str] | FittedFile,
    *,
    click_model: str | None = None,
    n_queries: int | None = None,
    queries: Iterable[str | int] | None = None,
    n_items: int | None = None,
    n_positions: int | None = None,
    coupling: str = "independent",
) -> dict[str, ClickModel]:
    """Return click models by query id, in the file's order.

    Parameters
    ----------
    name
        A data set, the path of a fitted file (.json), or a `FittedFile`.
    click_model
        Which one, if the file holds several click models.
    n_queries
        Take the first so many queries.
    queries
        Take these queries.
    n_items
        Keep the most attractive items; by default all.
    n_positions
        Keep the most examined positions (for the relevance-prediction log and fitted files, the
        first ones). A click model without parameters per position has as many positions as items;
        there it is only checked.
    coupling
        That of a position-based model; see `PBM`.
    """
    source = _source(name, click_model)
    arguments.choice("coupling", coupling, COUPLINGS)
    fixed = {"click_model": source.click_model}
    if source.click_model == "pbm":
        fixed["coupling"] = coupling
    elif coupling != "independent":
        raise ArgumentError(
            f"coupling must be 'independent' for {source.name}, whose click model is "
            f"{source.click_model} and not pbm, got {coupling!r}"
        )
    problems = {}
    for query in _selected(list(source.parameters), n_queries, queries):
        kept = _kept(source, query, n_items, n_positions)
        try:
            problems[query] = ClickModel.from_dict(kept | fixed)
        except ArgumentError as error:
            raise ArgumentError(
                f"query {query!r} of {source.name} cannot be a click model: {error}; choose "
                f"others with queries=[...] or n_queries"
            ) from None
    return problems


def load_items(
    name: str | os.PathLike[str] | FittedFile,
    *,
    click_model: str | None = None,
    n_queries: int | None = None,
    queries: Iterable[str | int] | None = None,
    n_items: int | None = None,
) -> dict[str, tuple[int | str, ...]]:
    """Return item ids by query: id n is that of item n in `load_problems` with these arguments.

    The id of an item of a data set is its place in the published file, counted from 0.

    Parameters
    ----------
    name
        A data set, the path of a fitted file (.json), or a `FittedFile`.
    click_model
        Which one, if the file holds several click models.
    n_queries
        Take the first so many queries.
    queries
        Take these queries.
    n_items
        Keep the most attractive items; by default all.
    """
    source = _source(name, click_model)
    return {
        query: tuple(source.ids[query][item] for item in _items(source, query, n_items))
        for query in _selected(list(source.parameters), n_queries, queries)
    }


def is_fitted_file(name: str | os.PathLike[str]) -> bool:
    """Whether `name` is the path of a fitted file, not a data set."""
    return os.fspath(name).endswith(ENDING)


def _source(name: str | os.PathLike[str] | FittedFile, click_model: str | None) -> _QuerySet:
    """Return all queries of a data set, or of one click model of a fitted file."""
    if isinstance(name, FittedFile):
        return _of_file(name, click_model)
    if is_fitted_file(name):
        return _of_file(read_fitted(name), click_model)
    chosen = data_set(os.fspath(name))
    if click_model not in (None, chosen.click_model):
        raise ArgumentError(
            f"click_model must be {chosen.click_model!r} for {chosen.name}, got {click_model!r}"
        )
    found = fitted(chosen.name)
    return _QuerySet(
        chosen.name,
        chosen.click_model,
        chosen.sorts,
        parameters=found,
        ids={query: tuple(range(len(each["attraction"]))) for query, each in found.items()},
    )


def _of_file(file: FittedFile, click_model: str | None) -> _QuerySet:
    models = file.models
    if click_model is None and len(models) > 1:
        raise ArgumentError(
            f"click_model must be given where {file.name} holds several: {', '.join(models)}"
        )
    model = next(iter(models)) if click_model is None else click_model
    queries = models[arguments.choice(f"click model of {file.name}:", model, list(models))]
    return _QuerySet(
        file.name,
        model,
        sorts=False,
        parameters={query: each.parameters for query, each in queries.items()},
        ids={query: each.items for query, each in queries.items()},
    )


def _selected(known: list[str], n_queries: int | None, queries: Any) -> list[str]:
    """Return the selected query ids, in the file's order."""
    if queries is None:
        return known[: _count("n_queries", n_queries, len(known), "queries in the file=")]
    if n_queries is not None:
        raise ArgumentError(f"n_queries must be None where queries are given, got {n_queries!r}")
    if isinstance(queries, str | bytes) or not isinstance(queries, Iterable):
        raise ArgumentError(f"queries must be a list of query ids, got {queries!r}")
    ids = [str(query) for query in queries]
    if not ids:
        raise ArgumentError("queries must not be empty, got []")
    wanted: set[str] = set()
    there = set(known)
    for query in ids:
        if query not in there:
            raise UnknownNameError("query", query, known)
        if query in wanted:
            raise ArgumentError(f"queries must be unique, got {query!r} twice")
        wanted.add(query)
    return [query for query in known if query in wanted]


def _items(source: _QuerySet, query: str, n_items: int | None) -> list[int]:
    """Return the places of the most attractive items in the file."""
    attraction = source.parameters[query]["attraction"]
    count = _count("n_items", n_items, len(attraction), f"items of query {query!r}=")
    by_attraction = sorted(range(len(attraction)), key=lambda item: -attraction[item])[:count]
    return by_attraction if source.sorts else sorted(by_attraction)


def _kept(source: _QuerySet, query: str, n_items: int | None, n_positions: int | None) -> Fitted:
    """Return the arguments of the click model of the selected items and positions."""
    items = _items(source, query, n_items)
    _count("n_positions", n_positions, len(items), "n_items=")
    kept = {}
    for key, value in source.parameters[query].items():
        if key in registry[source.click_model].per_item:
            kept[key] = [value[item] for item in items]
        elif isinstance(value, list):
            note = f"positions of query {query!r}="
            wanted = _count("n_positions", n_positions, len(value), note)
            positions = sorted(value, reverse=True) if source.sorts else value
            kept[key] = [_row(position, wanted) for position in positions[:wanted]]
        else:
            kept[key] = value
    return kept


def _count(name: str, wanted: int | None, high: int, note: str) -> int:
    return high if wanted is None else arguments.integer(name, wanted, 1, high, note)


def _row(position: Any, n_positions: int) -> Any:
    """Cut a row of examination by last click; its last column is for no click above."""
    if isinstance(position, list):
        return [*position[: n_positions - 1], position[-1]]
    return position
