"""What policies would have gained on a click log, according to click models fitted to it.

Each policy plays games with the users of every click model that predicts the held-out sessions
nearly as well as the best one (`log_problems.py`). All numbers are clicks per view, with their
range over these models. Queries are pages of their own: each has its own policy, and the mean over
queries is weighted by their sessions.

The best order is chosen by the same fit that values it, so it looks better than it is: of many
items the luckiest ones are chosen. A second fit, to the held-out sessions, values this order
without the error. The standard error follows from the number of held-out clicks on the items of
the order, as if the clicks were Poisson and nothing else were estimated.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.advice import pays_back
from unirank.lab.log_problems import (
    LogProblem,
    LogQuery,
    item_clicks,
    items_left_out,
    log_problem,
    log_queries,
    nearly_best,
    played_users,
)
from unirank.lab.simulation.checkpoints import log_spaced
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.games import check_memory, check_scale
from unirank.lab.simulation.known_values import check_values
from unirank.lab.simulation.plan import GamePlan, plan_games
from unirank.lab.simulation.scheduler import cpu_count, play_games
from unirank.logs.estimators import Fit, fit, fit_settings
from unirank.logs.fitted_log import compared, fit_log, kept_items
from unirank.logs.reading import LogStatistics
from unirank.policies import Policy
from unirank.policies.base.specs import PolicySpec, described, resolved
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.progress import ProgressBar
from unirank.users import ClickModel

MODELS = ("pbm", "cm", "dcm", "dbn", "ccm", "ubm")  # sdbn is a dbn whose readers never tire
POLICIES: tuple[PolicySpec, ...] = ("matchrank", "unirank")
VIEWS = (1_000, 10_000, 100_000)
WITHIN = 0.001  # share of the best model's bits
MIN_IMPRESSIONS = 100

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Range:
    """A number under the best click model, and its range over those that fit nearly as well."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PolicyGain:
    """Clicks per view of one policy."""

    policy: str
    clicks: dict[int, Range]  # mean over the first views, by their number
    error: float  # largest standard error of these means
    pays_back: int | None  # views after which it stays ahead of the logged order; None: later
    pays_back_from: int | None  # views under the click model where the policy pays back first
    pays_back_to: int | None  # views under the click model where it pays back last


@dataclass(frozen=True)
class ModelFit:
    """How well a click model predicts the held-out sessions."""

    model: str
    perplexity: float
    played: bool  # whether the model fits nearly as well as the best one


@dataclass(frozen=True)
class PlayedQuery:
    """A query that was played; `weight` is its share of the sessions."""

    query: str
    n_items: int
    n_positions: int
    n_sessions: int
    weight: float


@dataclass(frozen=True)
class LogGain:
    """Clicks per view: what was logged, what policies would get, and what is possible."""

    models: tuple[ModelFit, ...]  # the best first
    queries: tuple[PlayedQuery, ...]
    left_out: dict[str, str]  # queries and click models that cannot be played, and why
    left_out_items: dict[str, str]  # by query, which of its items were shown too rarely
    observed: float  # in the held-out sessions
    observed_error: float  # standard error
    logged: Range  # of the same pages, according to the click models
    policies: tuple[PolicyGain, ...]
    best: Range
    best_held_out: Range | None  # the best order, valued by a fit to the held-out sessions
    best_held_out_error: float | None  # standard error
    n_games: int  # of each policy with each click model and query
    seed: int


class GainSettings(NamedTuple):
    """The checked arguments of `log_gain`, but for the log."""

    policies: list[tuple[type[Policy], dict[str, Any]]]
    models: Sequence[str]
    views: list[int]
    within: float
    min_impressions: int
    n_games: int
    seed: int
    n_workers: int
    fit_options: dict[str, Any]


def gain_settings(
    policies: Sequence[PolicySpec],
    *,
    models: Sequence[str],
    views: Iterable[int],
    within: float,
    min_impressions: int,
    n_games: int,
    seed: int,
    n_workers: int | None = None,
    **fit_options: Any,
) -> GainSettings:
    """Check the arguments of `log_gain` without a log: a command asks before it reads one."""
    if not policies or not models:
        raise ArgumentError("policies and models must not be empty")
    n_workers = cpu_count() if n_workers is None else n_workers
    check_scale(n_games=n_games, seed=seed, n_workers=n_workers)
    chosen = [resolved(policy) for policy in policies]
    for cls, options in chosen:
        check_values(cls, options)
    for name in models:
        fit_settings(name, seed=seed, **fit_options)
    return GainSettings(
        policies=chosen,
        models=models,
        views=checked_views(views),
        within=arguments.non_negative("within", within),
        min_impressions=arguments.integer("min_impressions", min_impressions, 0),
        n_games=n_games,
        seed=seed,
        n_workers=n_workers,
        fit_options={"seed": seed, **fit_options},
    )


def log_gain(
    read: LogStatistics,
    policies: Sequence[PolicySpec] = POLICIES,
    *,
    models: Sequence[str] = MODELS,
    views: Iterable[int] = VIEWS,
    within: float = WITHIN,
    min_impressions: int = MIN_IMPRESSIONS,
    n_games: int = 20,
    seed: int = 0,
    n_workers: int | None = None,
    progress: bool | None = None,
    **how: Any,
) -> LogGain:
    """Return what policies would have gained on a log, according to click models fitted to it.

    `read` is what `read_statistics` returns, with held-out sessions, read for "pbm" and for
    `models`. Models are played that the held-out sessions cannot tell from the best one, or that
    need at most the share `within` more bits. Items shown less than `min_impressions` times are
    left out. `how` are options of `fit`. The same seed gives the same numbers on any number of
    workers.
    """
    if not read.held_out:
        raise ArgumentError("read must have held-out sessions, got none: pass held_out=0.2")
    settings = gain_settings(
        policies,
        models=models,
        views=views,
        within=within,
        min_impressions=min_impressions,
        n_games=n_games,
        seed=seed,
        n_workers=n_workers,
        **how,
    )
    queries, left_out = log_queries(read, min_impressions)
    fits = fitted_queries(read, queries, models, progress, settings.fit_options)
    left_out |= (unable := unidentified_models(fits, queries))
    if not (fits := {name: of_model for name, of_model in fits.items() if name not in unable}):
        raise ArgumentError(next(iter(unable.values())))
    pages = [read.held_out_pages[query.number] for query in queries]
    comparison = compared(fits, [read.held_out[query.number] for query in queries], pages)
    near = nearly_best(fits, pages, comparison[0].model, settings.within)
    problems = [list(map(log_problem, queries, fits[name])) for name in near]
    log = _PlayedLog(queries, problems, settings.views, n_games, seed)
    plans = [log.plans(cls, options) for cls, options in settings.policies]
    regret = played(plans, n_games, settings.n_workers, progress)
    return LogGain(
        models=tuple(
            ModelFit(one.model, one.prediction.perplexity, one.model in near) for one in comparison
        ),
        queries=tuple(log.described()),
        left_out=left_out,
        left_out_items={
            query.query: items_left_out(query, min_impressions) for query in queries if query.rare
        },
        observed=float(log.weights @ [query.observed for query in queries]),
        observed_error=float(
            np.sqrt(log.weights**2 @ [query.observed_variance for query in queries])
        ),
        logged=log.pooled(log.logged),
        policies=tuple(
            log.gain(described(cls.name, options), of_policy)
            for (cls, options), of_policy in zip(settings.policies, regret, strict=True)
        ),
        best=log.pooled(log.best),
        **held_out_best(read, log, near),
        n_games=n_games,
        seed=seed,
    )


def checked_views(views: Iterable[int]) -> list[int]:
    """Return the numbers of views, each once and in order."""
    found = sorted({arguments.integer("views", view, 1, LARGEST_ROUND) for view in views})
    if not found:
        raise ArgumentError("views must not be empty, got []")
    return found


def fitted_queries(
    read: LogStatistics,
    queries: Sequence[LogQuery],
    models: Sequence[str],
    progress: bool | None,
    how: Mapping[str, Any],
) -> dict[str, list[Fit]]:
    """Fit every model to every query, with a progress bar."""
    n_done = count(1)
    statistics = [read.queries[query.number] for query in queries]
    total = len(models) * len(queries)
    with ProgressBar("fitting", total, unit="fits", shown=progress, transient=True) as bar:
        return fit_log(statistics, models, lambda _: bar.show(next(n_done)), **how)


def unidentified_models(
    fits: Mapping[str, Sequence[Fit]], queries: Sequence[LogQuery]
) -> dict[str, str]:
    """Return the models that cannot compare the items of a query, and what the log lacks."""
    found: dict[str, str] = {}
    for name, of_model in fits.items():
        for query, one in zip(queries, of_model, strict=True):
            reason = kept_items(one, query.kept).unidentified
            if reason:
                found.setdefault(name, f"query {query.query}: {reason}")
    return found


def held_out_best(read: LogStatistics, log: "_PlayedLog", models: Sequence[str]) -> dict[str, Any]:
    """Value the best orders by fits to the held-out sessions; None where one is impossible."""
    values = np.full(log.best.shape, np.nan)
    variances = np.zeros(len(log.queries))
    for place, query in enumerate(log.queries):
        held = read.held_out[query.number]
        for m, (name, problems) in enumerate(zip(models, log.problems, strict=True)):
            again = fit(held, name)
            if kept_items(again, query.kept).unidentified:
                return {"best_held_out": None, "best_held_out_error": None}
            chances = played_users(query, again).expected_clicks(problems[place].best)
            values[m, place] = chances.sum()
            if m == 0:
                clicks = item_clicks(held)[np.array(query.kept)[list(problems[place].best)]]
                variances[place] = (chances**2 / np.maximum(clicks, 1)).sum()
    error = float(np.sqrt(log.weights**2 @ variances))
    return {"best_held_out": log.pooled(values), "best_held_out_error": error}


class _PlayedLog:
    """The values of all problems, by model and query, and the games on them."""

    def __init__(
        self,
        queries: Sequence[LogQuery],
        problems: Sequence[Sequence[LogProblem]],
        views: Sequence[int],
        n_games: int,
        seed: int,
    ) -> None:
        self.queries, self.problems, self.views, self.seed = queries, problems, views, seed
        self.rounds = np.union1d(log_spaced(views[-1]), views)
        sessions = np.array([query.n_sessions for query in queries])
        self.weights = sessions / sessions.sum()  # (n_queries,)
        self.logged = self._values("logged")  # (n_models, n_queries)
        self.best = self._values("best_value")

    def _values(self, name: str) -> Floats:
        return np.array([[getattr(one, name) for one in each] for each in self.problems])

    def pooled(self, values: Floats) -> Range:
        """Average over queries; the first model is the best one."""
        means = values @ self.weights
        return Range(float(means[0]), float(means.min()), float(means.max()))

    def described(self) -> Iterator[PlayedQuery]:
        for each, weight in zip(self.queries, self.weights.tolist(), strict=True):
            yield PlayedQuery(each.query, len(each.kept), each.n_positions, each.n_sessions, weight)

    def plans(self, cls: type[Policy], options: dict[str, Any]) -> list[list[GamePlan]]:
        """Return the games of a policy, by model and query."""
        return [
            [
                self._plan(cls, options, query.n_positions, *problem.players())
                for query, problem in zip(self.queries, of_model, strict=True)
            ]
            for of_model in self.problems
        ]

    def _plan(
        self,
        cls: type[Policy],
        options: dict[str, Any],
        n_positions: int,
        users: ClickModel,
        best: tuple[int, ...],
    ) -> GamePlan:
        plan = plan_games(
            cls,
            options,
            users,
            n_positions=n_positions,
            n_rounds=self.views[-1],
            seed=self.seed,
            checkpoints=self.rounds,
            given_best=best,
        )
        plan.new_policy(np.arange(users.n_items))  # its errors come before any game
        return plan

    def gain(self, name: str, regret: Floats) -> PolicyGain:
        """Sum up the regret of one policy, by model, query, game and checkpoint."""
        lost = regret.mean(axis=2)
        n_games = regret.shape[2]
        variance = regret.var(axis=2, ddof=1) / n_games if n_games > 1 else np.full_like(lost, 0)
        at = np.searchsorted(self.rounds, self.views)
        error = np.sqrt(np.einsum("mqc,q->mc", variance, self.weights**2)) / self.rounds
        ahead = (self.best - self.logged)[:, :, np.newaxis] * self.rounds - lost
        paid = [
            pays_back(self.rounds, gain) for gain in np.einsum("mqc,q->mc", ahead, self.weights)
        ]
        by_time = sorted(paid, key=lambda views: np.inf if views is None else views)
        return PolicyGain(
            policy=name,
            clicks={
                view: self.pooled(self.best - lost[:, :, c] / view)
                for view, c in zip(self.views, at.tolist(), strict=True)
            },
            error=float(error[:, at].max()),
            pays_back=paid[0],
            pays_back_from=by_time[0],
            pays_back_to=by_time[-1],
        )


def played(
    plans: Sequence[Sequence[Sequence[GamePlan]]],
    n_games: int,
    n_workers: int,
    progress: bool | None,
) -> Floats:
    """Play all games; return their regret by policy, model, query, game and checkpoint."""
    every = [plan for of_policy in plans for of_model in of_policy for plan in of_model]
    check_memory(n_games * len(every), len(every[0].checkpoints))
    games = [(plan, number) for plan in every for number in range(n_games)]
    regret = np.empty((len(games), len(every[0].checkpoints)))

    def done(place: int, game: Game) -> None:
        regret[place] = game.regret

    total = sum(plan.n_rounds for plan, _ in games)
    with ProgressBar("playing", total, unit="rounds", shown=progress, transient=True) as bar:
        play_games(games, n_workers, done, lambda n, m: bar.show(n, note=f"{m}/{len(games)} games"))
    shape = len(plans), len(plans[0]), len(plans[0][0]), n_games
    return regret.reshape(*shape, -1)
