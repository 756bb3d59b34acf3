"""Real problems: one click model per query, with as many items and positions as wanted.

The files of the paper's experiments list items and positions in no order that matters, so the
largest are kept, each sorted decreasingly, as the paper does. The click models fitted to the
relevance-prediction log, and those of a fitted file of your own, keep their items together with all
that was fitted to them, and their positions in the order of the page.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unirank import arguments
from unirank.click_models import ClickModel, registry
from unirank.click_models.position_based import COUPLINGS
from unirank.datasets.catalogue import DATA_SETS, Fitted, data_set, fitted
from unirank.datasets.fitted_file import FittedFile, read_fitted
from unirank.errors import ArgumentError, UnknownNameError

ENDING = ".json"  # of a fitted file, where the name of a data set could stand too


@dataclass(frozen=True)
class _Source:
    """Queries that all have the same click model, and the ids of their items."""

    name: str
    click_model: str
    sorts: bool  # the largest first, rather than in the order of the page
    parameters: dict[str, Fitted]
    ids: dict[str, tuple[int | str, ...]]


def list_datasets() -> list[str]:
    """Names that `load_problems` knows."""
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
    """Click models by query id, in the file's order: all, the first `n_queries`, or `queries`.

    `name` is that of a data set, or the path of a fitted file, which ends in .json, or what such a
    file holds; if that is several click models, `click_model` says which.

    `n_items` keeps the most attractive items, `n_positions` the most examined positions (those of
    the relevance-prediction log and of fitted files: the first). A click model without parameters
    per position has as many positions as items; there `n_positions` is only checked.
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
    """Ids of the items by query: item n of what `load_problems` returns for the same arguments.

    The items of a data set have no ids but their place in the published file, counted from 0.
    """
    source = _source(name, click_model)
    return {
        query: tuple(source.ids[query][item] for item in _items(source, query, n_items))
        for query in _selected(list(source.parameters), n_queries, queries)
    }


def is_fitted_file(name: str | os.PathLike[str]) -> bool:
    """Whether `name` is the path of a fitted file, and not the name of a data set."""
    return os.fspath(name).endswith(ENDING)


def _source(name: str | os.PathLike[str] | FittedFile, click_model: str | None) -> _Source:
    """All queries of a data set, or of one click model of a fitted file."""
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
    return _Source(
        chosen.name,
        chosen.click_model,
        chosen.sorts,
        parameters=found,
        ids={query: tuple(range(len(each["attraction"]))) for query, each in found.items()},
    )


def _of_file(file: FittedFile, click_model: str | None) -> _Source:
    models = file.models
    if click_model is None and len(models) > 1:
        raise ArgumentError(
            f"click_model must be given where {file.name} holds several: {', '.join(models)}"
        )
    model = next(iter(models)) if click_model is None else click_model
    queries = models[arguments.choice(f"click model of {file.name}:", model, list(models))]
    return _Source(
        file.name,
        model,
        sorts=False,
        parameters={query: each.parameters for query, each in queries.items()},
        ids={query: each.items for query, each in queries.items()},
    )


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
    wanted: set[str] = set()
    there = set(known)
    for query in ids:
        if query not in there:
            raise UnknownNameError("query", query, known)
        if query in wanted:
            raise ArgumentError(f"queries must be unique, got {query!r} twice")
        wanted.add(query)
    return [query for query in known if query in wanted]


def _items(source: _Source, query: str, n_items: int | None) -> list[int]:
    """The most attractive items, by their place in the file."""
    attraction = source.parameters[query]["attraction"]
    count = _count("n_items", n_items, len(attraction), f"items of query {query!r}=")
    by_attraction = sorted(range(len(attraction)), key=lambda item: -attraction[item])[:count]
    return by_attraction if source.sorts else sorted(by_attraction)


def _kept(source: _Source, query: str, n_items: int | None, n_positions: int | None) -> Fitted:
    """Arguments of the click model of the items and positions that are wanted."""
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
    """A position's number or, by last click, its row: earlier positions, then no click yet."""
    if isinstance(position, list):
        return [*position[: n_positions - 1], position[-1]]
    return position
