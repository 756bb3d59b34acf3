"""Every model on every query, compared on held-out sessions, and cut to the best items."""

from pathlib import Path

import numpy as np
import pytest

from tests.logs.reading.writing import drawn_sessions, session_rows, write_rows
from unirank import DBN
from unirank.errors import ArgumentError
from unirank.logs.estimators import log_likelihood
from unirank.logs.fitted_log import best_items, compared, fit_log
from unirank.logs.prediction import prediction
from unirank.logs.reading import LogStatistics, read_statistics

MODELS = ("cm", "dbn", "pbm")
USERS = {
    "a": DBN([0.5, 0.4, 0.3, 0.2], [0.9, 0.1, 0.8, 0.3], 0.3),
    "b": DBN([0.1, 0.6, 0.3], [0.5, 0.9, 0.1], 0.1),
}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> LogStatistics:
    path = Path(tmp_path_factory.mktemp("log")) / "log.parquet"
    write_rows(path, session_rows(drawn_sessions(USERS, 40_000, n_positions=3)))
    return read_statistics(path, format="sessions", models=MODELS, held_out=0.25, n_threads=1)


def test_every_model_is_fitted_to_every_query(read: LogStatistics) -> None:
    told: list[tuple[str, str]] = []
    found = fit_log(read.queries, MODELS, lambda one: told.append((one.estimator, one.query)))
    queries = [query.query for query in read.queries]
    assert told == [(model, query) for model in MODELS for query in queries]
    assert {model: [one.query for one in fits] for model, fits in found.items()} == dict.fromkeys(
        MODELS, queries
    )


def test_the_model_that_the_users_have_is_the_least_surprised(read: LogStatistics) -> None:
    found = compared(fit_log(read.queries, MODELS), read.held_out, read.held_out_pages)
    assert found[0].model == "dbn"
    assert found[0].prediction.perplexity < found[-1].prediction.perplexity
    whole = {one.model: one.log_likelihood for one in found}
    assert whole["dbn"] > whole["pbm"]


def test_numbers_are_per_held_out_session_over_all_queries(read: LogStatistics) -> None:
    fits = fit_log(read.queries, ["pbm"])
    (one,) = compared(fits, read.held_out, read.held_out_pages)
    users = [fitted.model() for fitted in fits["pbm"]]
    total = sum(
        log_likelihood(held, model) for held, model in zip(read.held_out, users, strict=True)
    )
    sessions = sum(held.n_sessions for held in read.held_out)
    assert one.log_likelihood == pytest.approx(total / sessions)
    again = prediction(zip(users, read.held_out_pages, strict=True))
    assert one.prediction.perplexity == again.perplexity
    assert again.shown[0] == sessions


def test_the_best_items_keep_all_that_was_fitted_to_them(read: LogStatistics) -> None:
    (fitted, *_) = fit_log(read.queries, ["dbn"])["dbn"]
    attraction = fitted.parameters["attraction"]
    best = best_items(fitted, 2)
    chosen = sorted(np.argsort(-attraction)[:2].tolist())
    assert best.items == tuple(fitted.items[item] for item in chosen)
    for name in ("attraction", "satisfaction"):
        assert best.parameters[name].tolist() == fitted.parameters[name][chosen].tolist()
    assert best.parameters["abandon"] == fitted.parameters["abandon"]
    assert best.impressions.tolist() == fitted.impressions[chosen].tolist()


def test_items_shown_too_rarely_are_left_out(read: LogStatistics) -> None:
    (four_items,) = [query for query in read.queries if len(query.items) == 4]
    (fitted,) = fit_log([four_items], ["pbm"])["pbm"]
    limit = int(np.sort(fitted.impressions)[-2])
    assert len(best_items(fitted, None, limit).items) == 2
    assert best_items(fitted, None).items == fitted.items
    assert best_items(fitted, None, 10**9).items == ()
    with pytest.raises(ArgumentError, match="min_impressions must be"):
        best_items(fitted, None, -1)
