"""Problems are what the paper plays: the largest, sorted; or, where it matters, as fitted."""

from typing import Any

import pytest

from tests.datasets.fakes import EXAMINATION, PBMS, Publish
from unirank.click_models import UBM
from unirank.datasets import load_problems
from unirank.errors import ArgumentError, UnknownNameError


def settings(name: str, **selection: Any) -> dict[str, Any]:
    """The arguments of the first problem."""
    return next(iter(load_problems(name, **selection).values())).settings


@pytest.fixture
def pbm(mirror: Publish) -> None:
    mirror("yandex-pbm")


@pytest.fixture
def relpred(mirror: Publish) -> None:
    mirror("yandex-relpred")


@pytest.mark.usefixtures("pbm")
def test_position_based_problems_keep_the_largest_sorted() -> None:
    kept = settings("yandex-pbm", n_items=2, n_positions=2)
    assert kept["attraction"] == [0.5, 0.3]
    assert kept["examination"] == [1.0, 0.6]
    assert settings("yandex-pbm")["attraction"] == [0.5, 0.3, 0.1]


def test_cascade_problems_keep_the_largest_sorted(mirror: Publish) -> None:
    mirror("yandex-cm")
    assert settings("yandex-cm", n_items=2, n_positions=1) == {"attraction": [0.5, 0.2]}


@pytest.mark.usefixtures("relpred")
def test_fitted_items_keep_what_was_fitted_to_them_in_their_order() -> None:
    kept = settings("yandex-relpred-dbn", n_items=2)
    assert kept == {"attraction": [0.3, 0.2], "satisfaction": [0.8, 0.9], "abandon": 0.05}


@pytest.mark.usefixtures("relpred")
def test_fitted_positions_keep_the_order_of_the_page() -> None:
    assert settings("yandex-relpred-pbm")["examination"] == [0.9, 0.5, 0.6]
    assert settings("yandex-relpred-pbm", n_positions=2)["examination"] == [0.9, 0.5]
    assert settings("yandex-relpred-dcm", n_positions=2)["stop_after_click"] == [0.6, 0.5]
    assert settings("yandex-relpred-ccm", n_positions=2)["continue_click_relevant"] == 0.2


@pytest.mark.usefixtures("relpred")
def test_fewer_browsing_positions_expect_the_same_clicks() -> None:
    (short,) = load_problems("yandex-relpred-ubm", n_positions=2).values()
    assert short.settings["examination_by_rank_and_last_click"] == [[0.2, 1.0], [0.9, 0.8]]
    long = UBM([0.1, 0.3, 0.2], EXAMINATION)
    assert short.expected_clicks([1, 0]).tolist() == long.expected_clicks([1, 0]).tolist()


@pytest.mark.usefixtures("pbm")
def test_queries_come_in_the_order_of_the_file() -> None:
    assert list(load_problems("yandex-pbm")) == ["7", "3"]
    assert list(load_problems("yandex-pbm", n_queries=1)) == ["7"]
    assert list(load_problems("yandex-pbm", queries=[3, "7"])) == ["7", "3"]
    assert list(load_problems("yandex-pbm", queries=["3"])) == ["3"]


@pytest.mark.usefixtures("pbm", "relpred")
def test_coupling_is_for_position_based_models() -> None:
    for name in ("yandex-pbm", "yandex-relpred-pbm"):
        assert settings(name, coupling="common")["coupling"] == "common"
        assert settings(name)["coupling"] == "independent"
    with pytest.raises(ArgumentError, match=r"coupling must be 'independent' for .*-cm.*'common'"):
        load_problems("yandex-relpred-cm", coupling="common")


@pytest.mark.usefixtures("pbm")
@pytest.mark.parametrize(
    ("selection", "said"),
    [
        ({"n_queries": 0}, "n_queries must be in 1..queries in the file=2, got 0"),
        ({"n_queries": 3}, "n_queries must be in 1..queries in the file=2, got 3"),
        ({"n_queries": 1, "queries": ["7"]}, "n_queries must be None where queries are given, got"),
        ({"queries": "7"}, "queries must be a list of query ids, got '7'"),
        ({"queries": 7}, "queries must be a list of query ids, got 7"),
        ({"queries": []}, "queries must not be empty"),
        ({"queries": ["7", 7]}, "queries must be unique, got '7' twice"),
        ({"n_items": 4}, "n_items must be in 1..items of query '7'=3, got 4"),
        ({"n_items": 2.5}, "n_items must be an integer in 1..items of query '7'=3, got 2.5"),
        ({"n_items": 2, "n_positions": 3}, "n_positions must be in 1..n_items=2, got 3"),
        (
            {"queries": [3], "n_positions": 4},
            "n_positions must be in 1..positions of query '3'=3, got 4",
        ),
        ({"coupling": "comon"}, "unknown coupling 'comon'; did you mean 'common'?"),
    ],
)
def test_a_wrong_argument_is_named_with_its_rule(selection: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        load_problems("yandex-pbm", **selection)
    assert said in str(caught.value)


@pytest.mark.usefixtures("pbm")
def test_unknown_names_and_queries_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown data set 'yandex-pmb'; did you mean"):
        load_problems("yandex-pmb")
    with pytest.raises(UnknownNameError, match=r"unknown query '33'; did you mean '3'\?"):
        load_problems("yandex-pbm", queries=["33"])


def test_attraction_above_one_is_refused_and_never_clipped(mirror: Publish) -> None:
    mirror("yandex-pbm", {**PBMS, "9": {"thetas": [0.5, 1.25], "kappas": [1.0]}})
    assert len(load_problems("yandex-pbm", n_queries=2)) == 2
    with pytest.raises(
        ArgumentError, match=r"query '9' of yandex-pbm cannot be a click model: .* got 1.25; choose"
    ):
        load_problems("yandex-pbm")
