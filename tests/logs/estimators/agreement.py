"""Estimators side by side with the literal EM, on small random logs."""

from math import log
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.reference import click_model_em as literal
from tests.reference.log_counting import Session, counted
from unirank.logs.estimators import registry
from unirank.logs.statistics import QueryStatistics
from unirank.users import ClickModel
from unirank.users import registry as click_models

ITEMS = ("a", "b", "c", "d", "e")
N_POSITIONS = 4


def random_sessions(seed: int, n: int = 60) -> list[Session]:
    """Pages of one to four items with any clicks, ten of them twice."""
    rng = Random(seed)
    sessions = []
    for _ in range(n):
        items = tuple(rng.sample(ITEMS, rng.randint(1, N_POSITIONS)))
        clicks = tuple(k for k in range(len(items)) if rng.random() < 0.35)
        sessions.append(Session("q", items, clicks))
    return sessions + sessions[:10]


def statistics_of(seed: int) -> QueryStatistics:
    return counted(random_sessions(seed), "q", N_POSITIONS)


def random_model(name: str, seed: int, n_items: int = 5, n_positions: int = 4) -> ClickModel:
    """A click model of that name, with parameters away from 0 and 1."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> list[Any]:
        values: list[Any] = rng.uniform(0.1, 0.9, shape).tolist()
        return values

    own: dict[str, dict[str, Any]] = {
        "pbm": {"examination": draw(n_positions)},
        "ubm": {"examination_by_rank_and_last_click": draw(n_positions, n_positions)},
        "cm": {},
        "dcm": {"stop_after_click": draw(n_positions)},
        "dbn": {"satisfaction": draw(n_items), "abandon": draw(1)[0]},
        "sdbn": {"satisfaction": draw(n_items), "abandon": 0.0},
        "ccm": dict(
            zip(
                ("continue_no_click", "continue_click_not_relevant", "continue_click_relevant"),
                draw(3),
                strict=True,
            )
        ),
    }
    click_model = "dbn" if name == "sdbn" else name
    return click_models[click_model](attraction=draw(n_items), **own[name])


def named(name: str, parameters: dict[str, Any]) -> literal.Parameters:
    """Constructor arguments in the names of the literal EM."""
    flat: literal.Parameters = {}
    for key, value in parameters.items():
        if key in ("attraction", "satisfaction"):
            flat |= {(key, item): float(v) for item, v in zip(ITEMS, value, strict=True)}
        elif key == "examination":
            flat |= {(key, k): float(v) for k, v in enumerate(value)}
        elif key == "stop_after_click":
            flat |= {("stop", k): float(v) for k, v in enumerate(value)}
        elif key == "examination_by_rank_and_last_click":
            for k, row in enumerate(value):
                flat |= {("examination", k, r): float(row[r]) for r in range(k)}
                flat["examination", k, None] = float(row[-1])
        elif key != "coupling" and (name, key) != ("sdbn", "abandon"):
            flat[key,] = float(value)
    return flat


def scaled(parameters: literal.Parameters) -> literal.Parameters:
    """Examination divided by its maximum, as fits without a prior are."""
    largest = max((v for name, v in parameters.items() if name[0] == "examination"), default=1.0)
    factors = {"examination": 1 / largest, "attraction": largest}
    return {name: v * factors.get(str(name[0]), 1.0) for name, v in parameters.items()}


def log_prior(parameters: literal.Parameters, prior: float) -> float:
    return sum(prior * (log(p) + log(1 - p)) for p in parameters.values())


def check_em(name: str, seed: int, prior: float = 0.0, steps: int = 12) -> None:
    """Every step's log-likelihood, and the last parameters, as the literal EM has them.

    Cells of examination that were never seen are not compared: they have no part in any step.
    """
    sessions, start = random_sessions(seed), random_model(name, seed)
    twin, parameters = literal.MODELS[name], named(name, start.settings)
    seen = {name for page in sessions for path in twin(page) for name, _ in path}
    kept = {name for name in parameters if name in seen or name[0] != "examination"}
    parameters = {name: value for name, value in parameters.items() if name in kept}
    expected = []
    for step in range(steps + 1):
        if step:
            parameters = literal.em_step(sessions, twin, parameters, prior)
        expected.append(literal.log_likelihood(sessions, twin, parameters))
        expected[-1] += log_prior(parameters, prior) if prior else 0.0
    estimator = registry[name](statistics_of(seed), "em", prior, True)
    estimator.load(start.parameters)
    values = np.empty(steps + 1)
    estimator.climb(values, -1.0)  # never settled
    assert values.tolist() == pytest.approx(expected, rel=1e-9)
    found = {n: value for n, value in named(name, estimator.parameters()).items() if n in kept}
    assert found == pytest.approx(parameters if prior else scaled(parameters), rel=1e-9)
    assert np.all(np.diff(values) >= -1e-9)
