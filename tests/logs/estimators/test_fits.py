from itertools import permutations, product
from math import log
from typing import Any

import numpy as np
import pytest

from tests.logs.estimators.agreement import (
    ITEMS,
    named,
    random_model,
    random_sessions,
    statistics_of,
)
from tests.reference import click_model_em as literal
from tests.reference import click_models as twins
from tests.reference.log_counting import Session, counted
from unirank.errors import ArgumentError, UnknownNameError
from unirank.logs.estimators import fit, fit_settings, log_likelihood, registry
from unirank.users import CM, PBM, UBM, ClickModel


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_fit_is_a_click_model_and_never_went_down(name: str, seed: int) -> None:
    found = fit(statistics_of(seed), name, max_iterations=200)
    model = found.model()
    assert (found.query, found.estimator, found.items) == ("q", name, ITEMS)
    assert model.name == found.click_model == registry.facts(registry[name])["click_model"]
    assert np.all(np.diff(found.log_likelihood) >= -1e-9)
    assert log_likelihood(statistics_of(seed), model) == pytest.approx(found.log_likelihood[-1])


@pytest.mark.parametrize("name", ["pbm", "ubm", "dcm", "dbn", "ccm"])
def test_the_likelihood_is_the_product_over_sessions(name: str) -> None:
    """Of the literal model's chance of each click pattern, and of all hidden paths behind it."""
    sessions, model = random_sessions(9), random_model(name, seed=9)
    settings = {key: value for key, value in model.settings.items() if key != "coupling"}
    twin = getattr(twins, name.upper())(**settings)
    whole = 0.0
    for page in sessions:
        pattern = [k in page.clicks for k in range(len(page.items))]
        whole += log(twin.probability([ITEMS.index(item) for item in page.items], pattern))
    found = log_likelihood(statistics_of(9), model)
    assert found == pytest.approx(whole, rel=1e-12)
    paths = literal.log_likelihood(sessions, literal.MODELS[name], named(name, model.settings))
    assert found == pytest.approx(paths, rel=1e-12)


@pytest.mark.parametrize("model", [random_model("pbm", 3), random_model("ubm", 3), CM([0.2] * 5)])
def test_click_patterns_sum_to_one(model: ClickModel) -> None:
    others = [Session("q", (item,), ()) for item in ITEMS]  # so that items are numbered alike
    base = log_likelihood(counted(others, "q", 3), model)
    for ranking in list(permutations(ITEMS, 3))[::13]:
        total, rates = 0.0, np.zeros(3)
        for pattern in product((False, True), repeat=3):
            if model.name == "cm" and sum(pattern) > 1:
                continue  # it is asked for sessions down to the first click
            page = Session("q", ranking, tuple(k for k in range(3) if pattern[k]))
            chance = np.exp(log_likelihood(counted([page, *others], "q", 3), model) - base)
            total += chance
            rates += np.multiply(pattern, chance)
        assert total == pytest.approx(1.0)
        assert rates == pytest.approx(model.expected_clicks([ITEMS.index(i) for i in ranking]))


def test_a_wider_ubm_reads_the_same_table() -> None:
    narrow = random_model("ubm", 5)
    looks = np.array(narrow.settings["examination_by_rank_and_last_click"])
    wide = np.full((6, 6), 0.3)
    wide[:4, :3], wide[:4, 5] = looks[:, :3], looks[:, 3]
    same = UBM(narrow.settings["attraction"], wide)
    statistics = statistics_of(5)
    assert log_likelihood(statistics, same) == log_likelihood(statistics, narrow)


def test_more_starts_are_never_worse_and_the_same_seed_gives_the_same_fit() -> None:
    statistics = statistics_of(2)
    one, many = (fit(statistics, "dcm", n_starts=n, tolerance=1e-7) for n in (1, 6))
    assert many.log_likelihood[-1] > one.log_likelihood[-1]
    assert (one.n_starts, many.n_starts) == (1, 6)
    again = fit(statistics, "dcm", n_starts=6, tolerance=1e-7)
    other = fit(statistics, "dcm", n_starts=6, tolerance=1e-7, seed=1)
    assert again.log_likelihood == many.log_likelihood != other.log_likelihood


def test_a_fit_says_whether_it_settled() -> None:
    statistics = statistics_of(2)
    assert not fit(statistics, "ccm", max_iterations=3, tolerance=0.0).settled
    loose = fit(statistics, "ccm", tolerance=1e-3, n_starts=1)
    assert loose.settled
    gains = np.diff(loose.log_likelihood) / np.abs(loose.log_likelihood[1:])
    assert gains[-1] <= 1e-3 < gains[:-1].min()


def test_wrong_arguments_are_named() -> None:
    statistics = statistics_of(1)
    with pytest.raises(UnknownNameError, match=r"unknown estimator 'pmb'; did you mean 'pbm'"):
        fit(statistics, "pmb")
    with pytest.raises(UnknownNameError, match=r"unknown way of 'dbn' 'ascent'; one of: em"):
        fit(statistics, "dbn", way="ascent")
    with pytest.raises(
        ArgumentError, match=r"bounded=False .* pbm and ubm have, got 'em' for 'pbm'"
    ):
        fit(statistics, "pbm", way="em", bounded=False)
    with pytest.raises(ArgumentError, match=r"prior must be a number >= 0, got -1"):
        fit(statistics, "pbm", prior=-1)
    with pytest.raises(ArgumentError, match=r"n_starts must be >= 1, got 0"):
        fit(statistics, "pbm", n_starts=0)
    with pytest.raises(ArgumentError, match=r"statistics.items must be in 2..2, got 5"):
        log_likelihood(statistics, PBM([0.5, 0.5], [1.0] * 4))
    with pytest.raises(ArgumentError, match=r"statistics.n_positions must be in 1..3, got 4"):
        log_likelihood(statistics, PBM([0.5] * 5, [1.0] * 3))


def test_an_attraction_above_one_is_refused_as_a_click_model() -> None:
    free = fit(statistics_of(3), "ubm", bounded=False)
    assert any("attraction exceeds 1" in warning for warning in free.warnings)
    with pytest.raises(ArgumentError, match=r"attraction"):
        free.model()


@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ({"prior": -1.0}, "prior must be"),
        ({"tolerance": float("nan")}, "tolerance must be"),
        ({"seed": -1}, "seed must be"),
        ({"n_starts": 0}, "n_starts must be >= 1, got 0"),
        ({"max_iterations": -1}, "max_iterations must be >= 0, got -1"),
        ({"way": "guess"}, "unknown way of 'cm' 'guess'"),
        ({"bounded": False}, "bounded=False needs way='ascent'"),
    ],
)
def test_options_are_checked_without_statistics(option: dict[str, Any], rule: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{rule}"):
        fit_settings("cm", **option)
