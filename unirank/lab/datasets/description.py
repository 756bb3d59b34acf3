"""Descriptions of data sets and fitted files: sizes, ranges of parameters, anomalies."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from unirank.lab.datasets.anomalies import anomalies
from unirank.lab.datasets.catalogue import data_set, fitted
from unirank.lab.datasets.fitted_file import read_fitted
from unirank.lab.datasets.published_files import located


def described(name: str) -> dict[str, Any]:
    """Describe a data set as plain data; the ranges are over the whole file."""
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
    """Describe a fitted file as plain data, by click model."""
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
    """Return the smallest and largest value of each parameter over all queries."""
    ranges = {"items per query": _range(len(each["attraction"]) for each in queries)}
    for key in queries[0]:
        ranges[key] = _range(x for each in queries for x in np.ravel(each[key]).tolist())
    return ranges


def _range(values: Iterator[float]) -> tuple[float, float]:
    every = list(values)
    return min(every), max(every)
