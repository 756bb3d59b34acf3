"""Fit several click models to all queries of a log and compare them on held-out sessions.

Perplexity is comparable between all models. The log-likelihood per session is comparable between
all but CM, whose sessions count down to the first click only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.estimators import Fit, fit, log_likelihood
from unirank.logs.estimators.identifiability import stood_at_one_place
from unirank.logs.prediction import Prediction, prediction
from unirank.logs.statistics import Pages, QueryStatistics
from unirank.users import registry as click_models

ONE_PLACE = "every item stood at one place, so its order is the model's assumption"


@dataclass(frozen=True)
class ModelComparison:
    """How well one model predicts the held-out sessions."""

    model: str
    log_likelihood: float  # per session; of sessions down to the first click for CM
    prediction: Prediction


def fit_log(
    statistics: Sequence[QueryStatistics],
    models: Sequence[str],
    done: Callable[[Fit], None] = lambda _: None,
    **options: Any,
) -> dict[str, list[Fit]]:
    """Fit every model to every query; call `done` after each fit; `options` are those of `fit`."""
    found: dict[str, list[Fit]] = {}
    for model in models:
        found[model] = []
        for query in statistics:
            found[model].append(fit(query, model, **options))
            done(found[model][-1])
    return found


def with_place_warnings(
    fits: Mapping[str, Sequence[Fit]], statistics: Sequence[QueryStatistics]
) -> dict[str, list[Fit]]:
    """Add a warning to the fits of queries whose items were each shown at one place only.

    A fit whose items cannot be compared has a warning of its own. `statistics` must have the table
    `shown`.
    """
    fixed = [
        query.shown is not None and stood_at_one_place(query.shown.item, query.shown.position)
        for query in statistics
    ]
    return {
        model: [
            replace(one, warnings=(ONE_PLACE, *one.warnings))
            if is_fixed and not one.unidentified
            else one
            for one, is_fixed in zip(of_queries, fixed, strict=True)
        ]
        for model, of_queries in fits.items()
    }


def compared(
    fits: dict[str, list[Fit]], held_out: Sequence[QueryStatistics], pages: Sequence[Pages]
) -> list[ModelComparison]:
    """Return the comparisons, the smallest perplexity first."""
    found = []
    for model, of_queries in fits.items():
        users = [each.model() for each in of_queries]
        n_sessions = sum(query.n_sessions for query in held_out)
        total = sum(map(log_likelihood, held_out, users))
        found.append(
            ModelComparison(model, total / n_sessions, prediction(zip(users, pages, strict=True)))
        )
    return sorted(found, key=lambda one: one.prediction.perplexity)


def check_kept(n_items: int | None, min_impressions: int) -> None:
    """Raise ArgumentError for numbers of items or impressions that `best_items` cannot take."""
    if n_items is not None:
        arguments.integer("n_items", n_items, 1)
    arguments.integer("min_impressions", min_impressions, 0)


def require_identified(fits: Iterable[Fit]) -> None:
    """Raise ArgumentError for a fit whose items the log cannot compare."""
    for each in fits:
        if each.unidentified:
            raise ArgumentError(
                f"{each.estimator} {each.query}: {each.unidentified}; log them in other orders, "
                "or pass --keep-unidentified"
            )


def best_items(fitted: Fit, n_items: int | None, min_impressions: int = 0) -> Fit:
    """Keep the most attractive items among those with enough impressions, in their order."""
    check_kept(n_items, min_impressions)
    often = np.flatnonzero(fitted.impressions >= min_impressions)
    by_attraction = sorted(often.tolist(), key=lambda item: -fitted.parameters["attraction"][item])
    return kept_items(fitted, sorted(by_attraction[:n_items]))


def kept_items(fitted: Fit, items: Sequence[int]) -> Fit:
    """Return the fit with these items only; the parameters of positions stay."""
    kept = list(items)
    per_item = click_models[fitted.click_model].per_item
    return Fit(
        **{
            **vars(fitted),
            "items": tuple(fitted.items[item] for item in kept),
            "impressions": fitted.impressions[kept],
            "groups": fitted.groups[kept],
            "parameters": {
                name: value[kept] if name in per_item else value
                for name, value in fitted.parameters.items()
            },
        }
    )
