"""The problems of a log: which queries, items, pages and click models are played."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.logs.reading.writing import drawn_sessions, session_rows, write_rows
from tests.reference.log_counting import Session
from unirank import PBM, UBM
from unirank.errors import ArgumentError
from unirank.lab.log_problems import best_order, log_problem, log_queries, log_query, nearly_best
from unirank.logs.fitted_log import fit_log
from unirank.logs.reading import LogStatistics, read_statistics
from unirank.users import base

USERS = PBM([0.6, 0.1, 0.4, 0.2, 0.3], [0.4, 0.9, 0.6])  # the best place is the second


def read(
    folder: Path, sessions: Sequence[Session], models: Sequence[str] = ("pbm",)
) -> LogStatistics:
    path = write_rows(folder / "log.parquet", session_rows(sessions))
    return read_statistics(path, format="sessions", models=models, held_out=0.25, n_threads=1)


def test_pages_of_the_most_frequent_length_are_played(tmp_path: Path) -> None:
    pages = drawn_sessions({"q": USERS}, 900, n_positions=3)
    short = [page._replace(items=page.items[:2], clicks=()) for page in pages[:300]]
    found = log_query(read(tmp_path, pages + short), 0, 10)
    assert (found.n_positions, found.n_sessions) == (3, 1200)
    assert (found.pages.items >= 0).all()
    assert found.pages.items.shape[1] == 3


def test_clicks_per_view_and_their_error_by_hand(tmp_path: Path) -> None:
    pages = drawn_sessions({"q": USERS}, 2000, n_positions=3)
    statistics = read(tmp_path, pages)
    found = log_query(statistics, 0, 10)
    counts = np.repeat(found.pages.clicks.sum(axis=1), found.pages.sessions)
    assert len(counts) == statistics.held_out[0].n_sessions
    assert found.observed == pytest.approx(counts.mean())
    assert found.observed_variance == pytest.approx(counts.var() / len(counts))


def test_items_shown_rarely_are_left_out(tmp_path: Path) -> None:
    pages = drawn_sessions({"q": USERS}, 600, n_positions=3)
    rare = [Session("q", ("rare", "0", "1"), ())] * 5
    statistics = read(tmp_path, pages + rare)
    assert statistics.queries[0].items == ("0", "1", "2", "3", "4", "rare")
    found = log_query(statistics, 0, 100)
    assert (found.kept, found.rare) == ((0, 1, 2, 3, 4), ("rare",))
    assert log_query(statistics, 0, 5).rare == ()  # held-out sessions show items, too
    assert log_query(statistics, 0, 6).rare == ("rare",)
    with pytest.raises(ArgumentError, match=r"^0 of its 6 items were shown 10,000 times or more"):
        log_query(statistics, 0, 10_000)


def test_items_that_stood_at_one_place_are_refused(tmp_path: Path) -> None:
    fixed = [Session("fixed", ("a", "b", "c"), (n % 3,)) for n in range(900)]
    varied = drawn_sessions({"varied": USERS}, 600, n_positions=3)
    queries, left_out = log_queries(read(tmp_path, fixed + varied), 10)
    assert [query.query for query in queries] == ["varied"]
    assert left_out["fixed"].startswith("the log cannot tell good items from good positions")
    with pytest.raises(ArgumentError, match=r"^query fixed: the log cannot tell good items from"):
        log_queries(read(tmp_path, fixed), 10)


def test_the_position_that_is_looked_at_most_comes_first_in_a_game(tmp_path: Path) -> None:
    statistics = read(tmp_path, drawn_sessions({"q": USERS}, 20_000, n_positions=3))
    query = log_query(statistics, 0, 10)
    problem = log_problem(query, fit_log(statistics.queries, ["pbm"])["pbm"][0])
    assert problem.best == (4, 0, 2)  # the most attractive item where people look most
    users, best = problem.players()
    assert best == (0, 2, 4)
    assert users.value(best) == pytest.approx(problem.best_value)
    assert problem.best_value == pytest.approx(USERS.best_value(3), rel=0.03)


def test_models_that_predict_as_well_are_kept(tmp_path: Path) -> None:
    models = ("pbm", "cm", "ubm")
    statistics = read(tmp_path, drawn_sessions({"q": USERS}, 20_000, n_positions=3), models)
    fits = fit_log(statistics.queries, models)
    pages = statistics.held_out_pages
    assert nearly_best(fits, pages, "pbm", 0.001) == ["pbm", "ubm"]  # a pbm is a ubm
    assert nearly_best(fits, pages, "pbm", 10.0) == ["pbm", "cm", "ubm"]


@pytest.mark.parametrize("seed", range(3))
def test_a_good_order_is_found_where_a_search_is_too_long(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    users = UBM(rng.uniform(0.1, 0.6, 6), rng.uniform(0.2, 1.0, (3, 3)))
    best = best_order(users, 3)
    assert best == users.best_ranking(3)
    monkeypatch.setattr(base, "MOST_RANKINGS", 1)
    with pytest.raises(ArgumentError, match="best_ranking must be given"):
        users.best_ranking(3)
    assert users.value(best_order(users, 3)) == pytest.approx(users.value(best))
