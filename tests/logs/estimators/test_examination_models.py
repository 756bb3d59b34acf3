import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import xlogy

from tests.lab.datasets.fakes import needs
from tests.logs.estimators import yandex
from tests.logs.estimators.agreement import check_em, random_sessions, statistics_of
from tests.logs.estimators.recovery import check_recovery
from tests.reference.log_counting import counted
from unirank.logs.estimators import fit, log_likelihood
from unirank.logs.statistics import QueryStatistics, Shown
from unirank.users import PBM, UBM

ATTRACTION = [0.2, 0.8, 0.5, 0.35, 0.6, 0.1]
LOOKS = [[0.5, 0.5, 0.5, 1.0], [0.8, 0.5, 0.5, 0.7], [0.4, 0.9, 0.5, 0.6], [0.3, 0.5, 0.8, 0.4]]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("prior", [0.0, 0.7])
@pytest.mark.parametrize("name", ["pbm", "ubm"])
def test_every_step_is_the_literal_one(name: str, seed: int, prior: float) -> None:
    check_em(name, seed, prior)


def test_the_truth_is_found() -> None:
    check_recovery("pbm", PBM(ATTRACTION, [1.0, 0.7, 0.5, 0.2]), margin=6)
    impossible = np.zeros((4, 4))
    impossible[np.triu_indices(4)] = np.nan
    impossible[:, 3] = 0.0
    ignored = {"examination_by_rank_and_last_click": impossible}
    check_recovery("ubm", UBM(ATTRACTION, LOOKS), margin=6, ignored=ignored)


@pytest.mark.parametrize("way", ["ascent", "em"])
@pytest.mark.parametrize(
    ("name", "key"), [("pbm", "examination"), ("ubm", "examination_by_rank_and_last_click")]
)
def test_the_largest_examination_is_one_and_the_scale_costs_nothing(
    name: str, key: str, way: str
) -> None:
    found = fit(statistics_of(1), name, way=way)
    assert found.parameters[key].max() == 1.0
    height = log_likelihood(statistics_of(1), found.model())
    assert height == pytest.approx(found.log_likelihood[-1], rel=1e-12)


def test_a_prior_sets_the_scale_and_both_ways_find_it() -> None:
    slow = fit(statistics_of(1), "pbm", way="em", prior=1.0, tolerance=1e-15)
    fast = fit(statistics_of(1), "pbm", prior=1.0, tolerance=1e-15)
    assert slow.log_likelihood[-1] == pytest.approx(fast.log_likelihood[-1], rel=1e-9)
    assert slow.parameters["attraction"] == pytest.approx(fast.parameters["attraction"], abs=1e-4)
    assert fast.parameters["examination"].max() < 1.0


def test_a_position_that_was_never_shown_is_named() -> None:
    shown = Shown(*(np.array(column) for column in ([0], [1], [200], [50])))
    found = fit(QueryStatistics("q", ("a",), 3, 0, shown), "pbm")
    assert found.parameters["examination"].tolist() == [0.5, 1.0, 0.5]
    assert found.warnings == (
        "examination has no impressions at all and is set to a default for 2 of 3: "
        "position 1 (0.5), position 3 (0.5)",
    )


def test_positions_have_the_numbers_of_the_log() -> None:
    shown = Shown(*(np.array(column) for column in ([0], [1], [200], [50])))
    found = fit(QueryStatistics("q", ("a",), 2, 0, shown, first_position=0), "pbm")
    assert found.warnings[0].endswith("position 0 (0.5)")
    few = fit(statistics_of(1)._replace(first_position=5), "ubm").warnings[1]
    assert "position 5 with no click above (" in few
    assert "position 6 after a click at 5 (" in few


def test_a_query_without_clicks_attracts_nobody() -> None:
    shown = Shown(*(np.array(column) for column in ([0, 1], [0, 1], [200, 300], [0, 0])))
    found = fit(QueryStatistics("q", ("a", "b"), 2, 0, shown), "pbm")
    assert found.parameters["attraction"].tolist() == [0.0, 0.0]
    assert found.log_likelihood[-1] == 0.0


@pytest.mark.parametrize("seed", [1, 25, 29, 35])
@pytest.mark.parametrize("bounded", [True, False])
def test_a_general_solver_finds_nothing_higher(bounded: bool, seed: int) -> None:
    """SLSQP in the logarithms, with rows that were clicked every time as constraints."""
    statistics = counted(random_sessions(seed, 25), "q", 4)
    table = statistics.last_click
    assert table is not None
    cells, cell = np.unique(table.position * 4 + table.last, return_inverse=True)
    clicks, skips = table.clicks, table.impressions - table.clicks
    clicked = [bool(np.bincount(side, clicks)[n]) for side in (table.item, cell) for n in set(side)]
    assert np.any((skips == 0) & (clicks > 0))  # rows that make corners

    def down(x: NDArray[np.float64]) -> float:
        p = np.exp(x[table.item] + x[5 + cell])
        return -float((xlogy(clicks, p) + xlogy(skips, np.maximum(1 - p, 1e-300))).sum())

    def room(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(-(x[table.item] + x[5 + cell]))

    best = minimize(
        down,
        np.where(clicked, -1.0, -40.0),
        method="SLSQP",
        bounds=[(-40.0, 0.0 if bounded else 8.0)] * (5 + cells.size),
        constraints={"type": "ineq", "fun": room},
        options={"maxiter": 500, "ftol": 1e-12},
    )
    found = fit(statistics, "ubm", bounded=bounded, tolerance=1e-13, max_iterations=20_000)
    assert found.log_likelihood[-1] >= -best.fun - 1e-4
    assert found.log_likelihood[-1] <= -best.fun + 0.05  # the solver got there too


@needs("yandex-pbm")
@needs("yandex-clicks")
def test_yandex_fits_are_likelier_than_the_published_parameters() -> None:
    """On each of the 60 queries, with attraction bounded by 1 and without that bound."""
    assert len(yandex.queries()) == 60
    for query in yandex.queries():
        table = yandex.statistics(query)
        given = yandex.published_log_likelihood(query)
        bounded, free = fit(table, "pbm"), fit(table, "pbm", bounded=False)
        assert given + 20_000 < bounded.log_likelihood[-1], query
        assert bounded.log_likelihood[-1] <= free.log_likelihood[-1] + 1e-6, query


@needs("yandex-pbm")
@needs("yandex-clicks")
def test_the_published_parameters_expect_far_too_many_clicks_at_the_bottom() -> None:
    expected, actual = np.zeros(10), np.zeros(10)
    for query in yandex.queries():
        shown = yandex.statistics(query).shown
        assert shown is not None
        chances = yandex.published_chances(query)
        expected += np.bincount(shown.position, chances * shown.impressions, 10)
        actual += np.bincount(shown.position, shown.clicks, 10)
    assert yandex.rows_with_more_clicks_than_impressions() == 38
    assert expected[0] < actual[0]
    assert expected[9] > 50 * actual[9]


@needs("yandex-pbm")
@needs("yandex-clicks")
def test_the_published_items_are_the_urls_in_increasing_order() -> None:
    likelier = 0
    for query in yandex.queries():
        table = yandex.statistics(query)
        assert table.shown is not None
        shown = np.bincount(table.shown.item, table.shown.impressions)
        increasing = yandex.published_log_likelihood(query)
        as_text = yandex.published_log_likelihood(query, np.argsort(table.items))
        by_impressions = yandex.published_log_likelihood(query, np.argsort(-shown))
        assert increasing > by_impressions, query
        assert increasing >= as_text, query
        likelier += increasing > as_text
    assert likelier > 50  # in the others both orders are one
