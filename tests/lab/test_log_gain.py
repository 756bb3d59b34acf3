"""Gain on a log whose users are known: the clicks per view of all orders are the true ones."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.logs.reading.writing import drawn_sessions, session_rows, write_rows
from tests.reference.log_counting import Session
from unirank import DBN, PBM
from unirank.errors import ArgumentError
from unirank.lab.log_gain import log_gain
from unirank.logs.prediction import prediction
from unirank.logs.reading import LogStatistics, read_statistics

USERS = {
    "a": PBM([0.5, 0.1, 0.4, 0.2, 0.3], [1.0, 0.7, 0.4]),
    "b": DBN([0.3, 0.2, 0.15, 0.1], [0.5] * 4, 0.2),
}
MODELS = ("pbm", "dbn")
ORACLE = ("oracle", {"ranking": "told"})
SMALL: dict[str, Any] = {"models": MODELS, "views": (100, 1000), "n_games": 3, "progress": False}
MARGIN = 0.03  # relative; 24,000 sessions fit a click probability of 0.2 to about 1 %


def sessions(query: str, number: int) -> list[Session]:
    return drawn_sessions({query: USERS[query]}, number, n_positions=3)


def read(folder: Path, pages: list[Session], held_out: float = 0.2) -> LogStatistics:
    path = write_rows(folder / "log.parquet", session_rows(pages))
    return read_statistics(path, format="sessions", models=MODELS, held_out=held_out, n_threads=1)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> LogStatistics:
    return read(tmp_path_factory.mktemp("log"), sessions("a", 24_000) + sessions("b", 12_000))


def truth(statistics: LogStatistics, query: int) -> float:
    """Clicks per view of the held-out pages, with the users as they are."""
    users = USERS[statistics.queries[query].query]
    found = prediction([(users, statistics.held_out_pages[query])])
    return float(found.expected.sum() / found.shown[0])


@pytest.mark.parametrize("query", ["a", "b"])
def test_logged_and_best_order_have_their_true_clicks(query: str, tmp_path: Path) -> None:
    statistics = read(tmp_path, sessions(query, 24_000))
    found = log_gain(statistics, [ORACLE], **SMALL)
    assert found.models[0].model == USERS[query].name
    assert found.logged.value == pytest.approx(truth(statistics, 0), rel=MARGIN)
    assert abs(found.observed - truth(statistics, 0)) < 3 * found.observed_error
    best = USERS[query].best_value(3)
    assert found.best.value == pytest.approx(best, rel=MARGIN)
    assert found.best_held_out is not None
    assert found.best_held_out_error is not None
    assert abs(found.best_held_out.value - best) < 3 * found.best_held_out_error


def test_an_order_that_never_changes_gets_what_is_known(both: LogStatistics) -> None:
    """The best order gets all; random order gets what the logged pages, which are random, got."""
    found = log_gain(both, [ORACLE, "random"], **{**SMALL, "views": (1000, 10_000)})
    oracle, random = found.policies
    assert oracle.clicks[1000].value == pytest.approx(found.best.value)
    assert oracle.pays_back == 1
    assert oracle.error == pytest.approx(0.0, abs=1e-9)
    assert random.clicks[10_000].value == pytest.approx(found.logged.value, abs=0.02)
    assert random.pays_back_to is None or random.pays_back_to > 10


def test_queries_are_weighted_by_their_sessions(both: LogStatistics) -> None:
    found = log_gain(both, [ORACLE], **SMALL)
    assert [(one.query, round(one.weight, 6)) for one in found.queries] == [
        ("a", round(2 / 3, 6)),
        ("b", round(1 / 3, 6)),
    ]
    expected = (2 * USERS["a"].best_value(3) + USERS["b"].best_value(3)) / 3
    assert found.best.value == pytest.approx(expected, rel=MARGIN)


def test_the_range_is_over_the_models_that_are_played(both: LogStatistics) -> None:
    found = log_gain(both, [ORACLE], **SMALL, within=10.0)
    assert all(one.played for one in found.models)
    apart = [
        log_gain(both, [ORACLE], **{**SMALL, "models": [one.model]}).best.value
        for one in found.models
    ]
    assert (found.best.value, found.best.low, found.best.high) == (
        apart[0],
        min(apart),
        max(apart),
    )
    one = log_gain(both, [ORACLE], **{**SMALL, "models": ["pbm"]})
    assert one.best.low == one.best.high


def test_the_same_numbers_again_on_any_number_of_threads(both: LogStatistics) -> None:
    one, two = (log_gain(both, ["unirank"], **SMALL, n_workers=n) for n in (1, 2))
    assert one == two
    assert one != replace(two, seed=1)


def test_items_that_do_not_differ_look_better_than_they_are(tmp_path: Path) -> None:
    """Twelve equal items, few sessions: the fit promises a gain that the held-out sessions deny."""
    same = PBM([0.2] * 12, [1.0, 0.7, 0.4])
    pages = drawn_sessions({"q": same}, 1500, n_positions=3)
    path = write_rows(tmp_path / "log.parquet", session_rows(pages))
    statistics = read_statistics(path, format="sessions", models=MODELS, held_out=0.5, n_threads=1)
    found = log_gain(statistics, ["random"], **{**SMALL, "models": ["pbm"], "min_impressions": 10})
    true = same.best_value(3)
    assert found.best.value > 1.1 * true
    assert found.best_held_out is not None
    assert found.best_held_out_error is not None
    assert abs(found.best_held_out.value - true) < 2 * found.best_held_out_error
    assert found.best.value - true > found.best_held_out.value - true


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"policies": []}, "policies and models must not be empty"),
        ({"policies": ["unrank"]}, "unknown policy 'unrank'; did you mean 'unirank'?"),
        ({"models": ["pbn"]}, "unknown estimator 'pbn'"),
        ({"views": []}, "views must not be empty, got []"),
        ({"views": [0]}, "views must be in 1.."),
        ({"n_games": 0}, "n_games must be in 1.."),
        ({"within": -1.0}, "within must be a number >= 0, got -1.0"),
        ({"min_impressions": -1}, "min_impressions must be >= 0, got -1"),
        ({"policies": ["toprank"]}, "toprank"),
    ],
)
def test_wrong_arguments_are_refused(
    both: LogStatistics, wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        log_gain(both, **{**SMALL, **wrong})
    assert sentence in str(caught.value)


def test_sessions_must_be_held_out(tmp_path: Path) -> None:
    statistics = read(tmp_path, sessions("a", 100), held_out=0.0)
    with pytest.raises(ArgumentError, match=r"^read must have held-out sessions, got none"):
        log_gain(statistics)


def test_a_model_that_cannot_compare_the_items_is_left_out(tmp_path: Path) -> None:
    """Below a click there was never d, always a or c: pbm compares them, ubm does not."""
    pages = [
        *[Session("q", ("a", "c"), (0, 1) if n % 2 else (0,)) for n in range(400)],
        *[Session("q", ("c", "a"), (0, 1) if n % 2 else (0,)) for n in range(400)],
        *[Session("q", ("e", "d"), (1,) if n % 2 else ()) for n in range(400)],
    ]
    path = write_rows(tmp_path / "log.parquet", session_rows(pages))
    statistics = read_statistics(
        path, format="sessions", models=("pbm", "ubm"), held_out=0.2, n_threads=1
    )
    found = log_gain(statistics, ["random"], **{**SMALL, "models": ("pbm", "ubm")})
    assert [one.model for one in found.models] == ["pbm"]
    assert found.left_out["ubm"].startswith("query q: the log cannot tell good items from")
    with pytest.raises(ArgumentError, match=r"^query q: the log cannot tell"):
        log_gain(statistics, ["random"], **{**SMALL, "models": ("ubm",)})
    assert np.isfinite(found.best.value)
