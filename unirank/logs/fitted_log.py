"""Click models of a whole log: every wanted model on every query, and how they compare.

Models are compared on sessions that were held out. Perplexity is comparable between all of them;
the log-likelihood per session is so between those that explain whole sessions, that is all but CM,
which is asked down to the first click only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unirank import arguments
from unirank.click_models import registry as click_models
from unirank.logs.estimators import Fit, fit, log_likelihood
from unirank.logs.explaining import Explained, explained
from unirank.logs.statistics import Pages, QueryStatistics


@dataclass(frozen=True)
class Comparison:
    """What one model makes of the sessions that were held out."""

    model: str
    log_likelihood: float  # per session; of sessions down to the first click for CM
    explained: Explained


def fit_log(
    statistics: Sequence[QueryStatistics],
    models: Sequence[str],
    done: Callable[[Fit], None] = lambda _: None,
    **options: Any,
) -> dict[str, list[Fit]]:
    """Fit every model to every query; `done` is told of each, `options` are those of `fit`."""
    found: dict[str, list[Fit]] = {}
    for model in models:
        found[model] = []
        for query in statistics:
            found[model].append(fit(query, model, **options))
            done(found[model][-1])
    return found


def compared(
    fits: dict[str, list[Fit]], held_out: Sequence[QueryStatistics], pages: Sequence[Pages]
) -> list[Comparison]:
    """Models on held-out sessions, the least surprised first."""
    found = []
    for model, of_queries in fits.items():
        users = [each.model() for each in of_queries]
        n_sessions = sum(query.n_sessions for query in held_out)
        total = sum(map(log_likelihood, held_out, users))
        found.append(
            Comparison(model, total / n_sessions, explained(zip(users, pages, strict=True)))
        )
    return sorted(found, key=lambda one: one.explained.perplexity)


def best_items(fitted: Fit, n_items: int | None, min_impressions: int = 0) -> Fit:
    """The fit of the most attractive items that were shown often enough, in their order."""
    arguments.integer("min_impressions", min_impressions, 0)
    often = np.flatnonzero(fitted.impressions >= min_impressions)
    by_attraction = sorted(often.tolist(), key=lambda item: -fitted.parameters["attraction"][item])
    kept = sorted(by_attraction[:n_items])
    per_item = click_models[fitted.click_model].per_item
    return Fit(
        **{
            **vars(fitted),
            "items": tuple(fitted.items[item] for item in kept),
            "impressions": fitted.impressions[kept],
            "parameters": {
                name: value[kept] if name in per_item else value
                for name, value in fitted.parameters.items()
            },
        }
    )
