"""`unirank data` says what there is, brings it, and tells what is odd in it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.datasets.fakes import PBMS, Publish, publisher
from tests.datasets.fitted import CONTENT, saved, spoilt
from unirank.datasets import list_datasets
from unirank.datasets.published_files import FILES


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr("pooch.os_cache", lambda _: folder)
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    return folder


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    monkeypatch.setenv("UNIRANK_DATA", str(tmp_path / "mirror"))
    return publisher(tmp_path / "mirror", monkeypatch)


def test_every_data_set_is_listed_with_its_file_and_licence(unirank: Run) -> None:
    code, out, _ = unirank("data")
    assert code == 0
    for name in (*list_datasets(), "yandex-clicks", *(each.file for each in FILES.values())):
        assert name in out
    assert out.count("missing") == 10
    assert unirank("data", "list")[1] == out


def test_the_list_says_where_each_file_is(
    unirank: Run, mirror: Publish, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror("kdd-pbm")
    publisher(cache, monkeypatch)("yandex-pbm")
    mirror("yandex-cm").write_text("altered")
    _, out, _ = unirank("data", "list", "--json")
    found = {row["name"]: row["found"] for row in json.loads(out)}
    assert found["kdd-pbm"] == "mirror"
    assert found["yandex-pbm"] == "cache"
    assert found["yandex-cm"] == "mirror: not the published file"
    assert found["yandex-relpred-ubm"] == "missing"


def test_the_list_can_be_of_some(unirank: Run) -> None:
    _, out, _ = unirank("data", "list", "yandex-cm", "--json")
    assert json.loads(out) == [
        {
            "name": "yandex-cm",
            "click model": "cm",
            "queries": 23,
            "licence": "none",
            "found": "missing",
            "file": "param_Yandex_CM.txt",
        }
    ]


def test_fetch_brings_all_that_have_an_address(unirank: Run, mirror: Publish) -> None:
    paths = {name: str(mirror(name)) for name in ("kdd-pbm", "yandex-pbm", "yandex-cm")}
    _, out, _ = unirank("data", "fetch", "--json")
    assert {row["name"]: row["path"] for row in json.loads(out)} == paths
    assert {row["found"] for row in json.loads(out)} == {"mirror"}
    _, out, _ = unirank("data", "fetch", "kdd-pbm")
    assert out == f"kdd-pbm: {paths['kdd-pbm']}\n"


def test_a_file_of_many_data_sets_is_one_row(unirank: Run, mirror: Publish) -> None:
    mirror("yandex-relpred")
    words = ("data", "fetch", "yandex-relpred-cm", "yandex-relpred-pbm", "--json")
    assert [row["name"] for row in json.loads(unirank(*words)[1])] == ["yandex-relpred"]


def test_describe_tells_ranges_and_anomalies(unirank: Run, mirror: Publish) -> None:
    many = {f"q{i}": {"thetas": [0.5, 0.5, 0.1 + i / 100], "kappas": [0.9]} for i in range(12)}
    mirror("yandex-pbm", {**many, "above": {"thetas": [1.5], "kappas": [0.9]}})
    code, out, _ = unirank("data", "describe", "yandex-pbm")
    assert code == 0
    assert "items per query  1 to 3" in out
    assert "attraction       0.1 to 1.5" in out
    assert "tied attraction: 12 of 13 queries\n  q0: 2 distinct values in the top 3" in out
    assert "and 2 more (--json has all)" in out
    assert "attraction above 1: 1 of 13 queries\n  above: 1.5" in out
    assert "largest examination is not 1: 13 of 13 queries\n  all: 0.9\n" in out
    _, out, _ = unirank("data", "describe", "yandex-pbm", "--json")
    assert len(json.loads(out)["anomalies"]) == 12 + 13 + 1


def test_a_sound_data_set_is_said_to_be_sound(unirank: Run, mirror: Publish) -> None:
    mirror("kdd-pbm", {"2": {"thetas": [0.1, 0.2], "kappas": [1.0, 0.5]}})
    assert "no anomalies" in unirank("data", "describe", "kdd-pbm")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("describe",), "describe must be given one data set, got 0"),
        (("describe", "kdd-pbm", "yandex-cm"), "describe must be given one data set, got 2"),
        (("describe", "kdd-pbm"), "run `unirank data fetch kdd-pbm`, or set UNIRANK_DATA"),
        (("describe", "yandex-clicks"), "unknown data set 'yandex-clicks'"),
        (("fetch", "kdd"), "unknown data set 'kdd'; did you mean 'kdd-pbm'?"),
        (("fetch", "yandex-relpred-cm"), "set UNIRANK_DATA to the folder of your own copy"),
        (("list", "kdd"), "unknown data set 'kdd'"),
    ],
)
def test_what_cannot_be_done_is_one_line(unirank: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = unirank("data", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_query_that_is_no_click_model_can_be_described(unirank: Run, mirror: Publish) -> None:
    mirror("kdd-pbm", {**PBMS, "9": {"thetas": [2.0], "kappas": [1.0]}})
    assert "9: 2" in unirank("data", "describe", "kdd-pbm")[1]


def test_a_fitted_file_is_described_with_its_items(unirank: Run) -> None:
    saved(Path("f.json"))
    code, out, _ = unirank("data", "describe", "f.json")
    assert code == 0
    assert "log   day.tsv" in out
    assert "shoes: a, b, 7" in out
    assert "boots: c, d" in out
    assert "warning of shoes: few clicks" in out
    assert "attraction       0.1 to 1" in out
    report = json.loads(unirank("data", "describe", "f.json", "--json")[1])
    assert report["models"]["pbm"]["items"] == {"shoes": ["a", "b", 7], "boots": ["c", "d"]}
    assert report["models"]["dbn"]["ranges"]["satisfaction"] == [0.7, 0.9]


def test_many_queries_of_a_fitted_file_are_not_all_printed(unirank: Run) -> None:
    query = CONTENT["models"]["dbn"]["shoes"]
    saved(Path("f.json"), spoilt("models", "dbn", value={f"q{i}": query for i in range(13)}))
    out = unirank("data", "describe", "f.json")[1]
    assert "q9: a, b, 7" in out
    assert "q10:" not in out
    assert "and 3 more (--json has all)" in out


def test_each_action_has_a_help_of_its_own(unirank: Run) -> None:
    for action in ("list", "fetch", "describe"):
        code, out, _ = unirank("data", action, "--help")
        assert (code, "Print JSON" in out) == (0, True)
