"""Fit a click model to the statistics of one query; the likelihood of given parameters."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.estimators.base import Estimator, registry, ways_of
from unirank.logs.estimators.fit_warnings import fit_warnings
from unirank.logs.estimators.identifiability import unidentified
from unirank.logs.statistics import QueryStatistics
from unirank.users import ClickModel
from unirank.users import registry as click_models


@dataclass(frozen=True)
class Fit:
    """Estimated parameters of one click model for one query, with warnings.

    `log_likelihood` has one value per step, the start first; it includes a prior's log density.
    """

    query: str
    estimator: str
    click_model: str
    items: tuple[str, ...]
    parameters: dict[str, Any]  # arguments of the click model's constructor
    log_likelihood: tuple[float, ...]
    n_starts: int
    settled: bool  # whether the fit converged before the steps ran out
    impressions: NDArray[np.int64]  # by item
    groups: NDArray[np.int64]  # by item; attraction is comparable within a group only
    warnings: tuple[str, ...]

    @property
    def unidentified(self) -> str:
        """Say which items the log cannot compare; "" if it can compare all."""
        return unidentified(self.groups, self.items)

    def model(self) -> ClickModel:
        """Return the click model; raise if an unbounded fit has an attraction above 1."""
        return click_models[self.click_model](**self.parameters)


class FitSettings(NamedTuple):
    """The checked options of `fit`, as one start of the estimator needs them."""

    way: str
    bounded: bool
    n_starts: int
    max_iterations: int
    tolerance: float
    prior: float
    seed: int


def fit_settings(
    model: str,
    *,
    way: str | None = None,
    bounded: bool = True,
    n_starts: int = 3,
    max_iterations: int = 5000,
    tolerance: float = 1e-9,
    prior: float = 0.0,
    seed: int = 0,
) -> FitSettings:
    """Check the options of `fit` without statistics: a command asks before it reads a log."""
    cls = registry[model]
    way = arguments.choice(f"way of {model!r}", way or ways_of(cls)[0], ways_of(cls))
    if not bounded and way != "ascent":
        having = [entry.name for entry in registry if "ascent" in ways_of(entry.cls)]
        raise ArgumentError(
            f"bounded=False needs way='ascent', which {' and '.join(having)} have, "
            f"got {way!r} for {model!r}"
        )
    return FitSettings(
        way=way,
        bounded=bounded,
        n_starts=arguments.integer("n_starts", n_starts, 1),
        max_iterations=arguments.integer("max_iterations", max_iterations, 0),
        tolerance=arguments.non_negative("tolerance", tolerance),
        prior=arguments.non_negative("prior", prior),
        seed=arguments.seed(seed),
    )


def fit(
    statistics: QueryStatistics,
    model: str,
    *,
    way: str | None = None,
    bounded: bool = True,
    n_starts: int = 3,
    max_iterations: int = 5000,
    tolerance: float = 1e-9,
    prior: float = 0.0,
    seed: int = 0,
) -> Fit:
    """Estimate `model`, a name in the registry of estimators, from `statistics`.

    EM is started `n_starts` times, first from the textbook's start and then from random ones; the
    fit with the largest log-likelihood is returned. A closed form needs one start, and so does
    ascent, whose maximum is global. `max_iterations` = 0 returns the start, which is the closed
    form for DCM and SDBN. A fit stops when a step increases the log-likelihood by at most
    `tolerance` times its absolute value. `prior` is a number of pseudo-observations of each outcome
    of each parameter.
    """
    settings = fit_settings(
        model,
        way=way,
        bounded=bounded,
        n_starts=n_starts,
        max_iterations=max_iterations,
        tolerance=tolerance,
        prior=prior,
        seed=seed,
    )
    estimator = registry[model](statistics, settings.way, settings.prior, bounded)
    if settings.way != "em" or settings.max_iterations == 0:
        settings = settings._replace(n_starts=1)
    found = [_climbed(estimator, n, settings) for n in range(settings.n_starts)]
    return max(found, key=lambda one: one.log_likelihood[-1])


def _climbed(estimator: Estimator, n: int, settings: FitSettings) -> Fit:
    """Fit from start number `n`."""
    rng = np.random.default_rng([settings.seed, n]) if n else None
    estimator.start(rng, settings.max_iterations > 0)
    values = np.empty(settings.max_iterations + 1)
    made = estimator.climb(values, settings.tolerance)
    groups = estimator.groups()
    found = unidentified(groups, estimator.statistics.items)
    return Fit(
        query=estimator.statistics.query,
        estimator=estimator.name,
        click_model=registry.facts(type(estimator))["click_model"],
        items=estimator.statistics.items,
        parameters=estimator.parameters(),
        log_likelihood=tuple(values[: abs(made) + 1].tolist()),
        n_starts=settings.n_starts,
        settled=made > 0 or estimator.way == "closed form",
        impressions=estimator.impressions(),
        groups=groups,
        warnings=(*([found] if found else []), *fit_warnings(estimator.evidence())),
    )


def log_likelihood(statistics: QueryStatistics, click_model: ClickModel) -> float:
    """Return the log-likelihood of `statistics` under a click model.

    Items must be numbered as in the click model. Clicks of a PBM count as independent; for a CM,
    sessions count down to their first click. Only models that read the same table can be compared.
    """
    items, n_positions = len(statistics.items), statistics.n_positions
    arguments.integer("statistics.items", items, click_model.n_items, click_model.n_items)
    arguments.integer("statistics.n_positions", n_positions, 1, click_model.n_positions)
    cls = registry[click_model.name]
    estimator = cls(statistics, ways_of(cls)[0], 0.0, True)
    estimator.load(click_model.parameters)
    values = np.empty(1)
    estimator.climb(values, 0.0)
    return float(values[0])
