"""Problems are what the paper plays: the largest, sorted; or, where it matters, as fitted."""

from pathlib import Path
from typing import Any

import pytest

from tests.lab.datasets.fakes import EXAMINATION, PBMS, Publish
from tests.lab.datasets.fitted import saved, without
from unirank.errors import ArgumentError, UnknownNameError
from unirank.lab.datasets import load_items, load_problems, read_fitted
from unirank.users import DBN, PBM, UBM


def settings(name: str | Path, **selection: Any) -> dict[str, Any]:
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


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path / "f.json")


def test_a_fitted_file_is_loaded_by_its_path(file: Path) -> None:
    for name in (file, str(file), read_fitted(file)):
        problems = load_problems(name, click_model="pbm")
        assert list(problems) == ["shoes", "boots"]
        assert problems["shoes"] == PBM([0.1, 0.3, 0.2], [0.9, 0.5, 0.6])
    (dbn,) = load_problems(file, click_model="dbn").values()
    assert dbn == DBN([0.1, 0.3, 0.2], [0.7, 0.8, 0.9], 0.05)


def test_the_click_model_of_a_fitted_file_goes_without_saying_if_it_is_alone(
    tmp_path: Path,
) -> None:
    alone = saved(tmp_path / "f.json", without("models", "pbm"))
    assert [users.name for users in load_problems(alone).values()] == ["dbn"]


def test_fitted_files_keep_the_most_attractive_items_in_the_order_of_the_page(file: Path) -> None:
    chosen: dict[str, Any] = {"click_model": "dbn", "n_items": 2, "queries": ["shoes"]}
    kept = settings(file, **chosen, n_positions=1)
    assert kept == {"attraction": [0.3, 0.2], "satisfaction": [0.8, 0.9], "abandon": 0.05}
    assert load_items(file, **chosen) == {"shoes": ("b", 7)}
    short = settings(file, click_model="pbm", n_positions=2, n_queries=1, coupling="common")
    assert short["examination"] == [0.9, 0.5]
    assert short["coupling"] == "common"


def test_items_have_ids_in_every_query(file: Path) -> None:
    assert load_items(file, click_model="pbm") == {"shoes": ("a", "b", 7), "boots": ("c", "d")}


@pytest.mark.usefixtures("pbm")
def test_items_of_a_data_set_are_known_by_their_place_in_the_file() -> None:
    assert load_items("yandex-pbm", queries=["7"]) == {"7": (1, 2, 0)}
    assert load_items("yandex-pbm", n_items=2) == {"7": (1, 2), "3": (1, 3)}
    for query, ids in load_items("yandex-pbm", n_items=2).items():
        thetas: list[float] = PBMS[query]["thetas"]
        users = load_problems("yandex-pbm", n_items=2)[query]
        assert users.settings["attraction"] == [thetas[int(item)] for item in ids]


@pytest.mark.usefixtures("pbm")
@pytest.mark.parametrize(
    ("selection", "said"),
    [
        ({}, "click_model must be given where 'f.json' holds several: pbm, dbn"),
        ({"click_model": "dbm"}, "unknown click model of 'f.json': 'dbm'; did you mean 'pbm'?"),
        ({"click_model": "pbm", "queries": ["shoe"]}, "unknown query 'shoe'; did you mean 'shoes'"),
        ({"click_model": "pbm", "n_items": 3}, "n_items must be in 1..items of query 'boots'=2"),
        ({"click_model": "dbn", "coupling": "common"}, "for 'f.json', whose click model is dbn"),
        ({"name": "none.json"}, "cannot read 'none.json': No such file or directory"),
        ({"name": "yandex-pbm", "click_model": "dbn"}, "click_model must be 'pbm' for yandex-pbm"),
    ],
)
def test_a_mistake_about_a_fitted_file_is_named(
    selection: dict[str, Any], said: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(ArgumentError) as caught:
        load_problems(**{"name": "f.json", **selection})
    assert said in str(caught.value)
