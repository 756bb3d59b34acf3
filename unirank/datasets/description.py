"""A data set in numbers: how many queries, how large, from where to where, and what is odd."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from unirank.datasets.anomalies import anomalies
from unirank.datasets.catalogue import data_set, fitted
from unirank.datasets.fitted_file import read_fitted
from unirank.datasets.published import located


def described(name: str) -> dict[str, Any]:
    """Facts as JSON; the ranges are those of the file, before anything is selected."""
    chosen = data_set(name)
    queries = list(fitted(name).values())
    return {
        "name": name,
        "about": chosen.published.about,
        "licence": chosen.published.licence,
        "path": str(located(chosen.file)),
        "click model": chosen.click_model,
        "queries": len(queries),
        "ranges": _ranges(queries),
        "anomalies": [asdict(each) for each in anomalies(name)],
    }


def described_file(path: str) -> dict[str, Any]:
    """Facts of a fitted file as JSON: by click model, its queries with the ids of their items."""
    file = read_fitted(path)
    return {
        "path": path,
        "source": file.source,
        "models": {
            model: {
                "queries": len(queries),
                "ranges": _ranges([each.parameters for each in queries.values()]),
                "items": {query: list(each.items) for query, each in queries.items()},
                "warnings": {
                    query: each.facts["warnings"]
                    for query, each in queries.items()
                    if each.facts.get("warnings")
                },
            }
            for model, queries in file.models.items()
        },
    }


def _ranges(queries: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """From the least to the largest number of each parameter, over all queries."""
    ranges = {"items per query": _range(len(each["attraction"]) for each in queries)}
    for key in queries[0]:
        ranges[key] = _range(x for each in queries for x in np.ravel(each[key]).tolist())
    return ranges


def _range(values: Iterator[float]) -> tuple[float, float]:
    every = list(values)
    return min(every), max(every)
