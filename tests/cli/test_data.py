"""`unirank data` says what there is, brings it, and tells what is odd in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.conftest import Run
from tests.lab.datasets.fakes import Publish, publisher
from tests.lab.datasets.fitted import saved
from unirank.cli.data import print_fitted
from unirank.lab.datasets import list_datasets
from unirank.lab.datasets.published_files import FILES


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


def test_each_action_has_a_help_of_its_own(unirank: Run) -> None:
    for action in ("list", "fetch", "describe"):
        code, out, _ = unirank("data", action, "--help")
        assert (code, "Print JSON" in out) == (0, True)


REPORT: dict[str, Any] = {
    "name": "mine",
    "about": "Nothing.",
    "licence": "none",
    "path": "here",
    "click model": "cm",
    "queries": 20,
    "ranges": {"attraction": (0.1, 0.5), "abandon": (0.25, 0.25)},
}


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_ids_of_a_fitted_file_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    model = {
        "queries": 1,
        "ranges": REPORT["ranges"],
        "items": {"[b]q": ["[i]", 7]},
        "warnings": {"[b]q": ["[u]few"]},
    }
    print_fitted(Console(width=80), {"path": "f.json", "source": {}, "models": {"cm": model}})
    assert printed(capsys)[-2:] == ["  [b]q: [i], 7", "  warning of [b]q: [u]few"]
