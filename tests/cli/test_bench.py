"""`unirank bench` measures; how fast is for benchmarks, not for tests."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.lab.datasets.fakes import publisher
from unirank import list_policies
from unirank.lab import speed
from unirank.policies import registry


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The long measurements are replaced; those of rounds are real."""
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    monkeypatch.setattr("pooch.os_cache", lambda _: tmp_path)
    monkeypatch.setattr(speed, "skipping", lambda *_: {"10^7 rounds / random": 0.05})
    monkeypatch.setattr(speed, "threads", lambda *_: 1.9)
    monkeypatch.setattr(speed, "state_megabytes", lambda *_: 8.0)
    monkeypatch.setattr(speed, "first_ranking", lambda *_: 0.8)
    monkeypatch.setattr(speed, "object_path", lambda *_: 1.5e-5)


def test_the_tables_name_their_unit_and_what_was_left_out(unirank: Run) -> None:
    code, out, _ = unirank("bench", "--n-rounds", "200")
    assert code == 0
    assert "random, ns" in out
    assert "Yandex problems left out: param_Yandex.txt is not on this machine" in out


def test_options_are_measured_and_named(unirank: Run) -> None:
    _, out, _ = unirank("bench", "unirank(early=explore)", "--n-rounds", "200", "--json")
    assert json.loads(out)["rounds"][0]["policy"] == "unirank (early=explore)"


def test_json_holds_every_number(unirank: Run) -> None:
    _, out, _ = unirank("bench", "random", "--n-rounds", "200", "--json")
    report: dict[str, Any] = json.loads(out)
    assert [row["problem"] for row in report["sizes"]] == ["10 items", "100 items", "1000 items"]
    assert report["ratios"]["plain Python / compiled, per round"] > 1


@pytest.mark.slow
def test_all_policies_are_compared(unirank: Run) -> None:
    code, out, _ = unirank("bench", "--all", "--n-rounds", "100", "--json")
    assert code == 0
    report = json.loads(out)
    rows = report["rounds"]
    assert {"unirank", "toprank", "random"} <= report["plain"].keys() <= set(list_policies())
    assert {row["policy"] for row in rows} == set(list_policies())
    assert {row["problem"] for row in rows} == {"simul-pbm", "100 items"}


def test_the_comparison_is_one_row_per_policy(
    unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "names", lambda: ["random", "unirank"])
    _, out, _ = unirank("bench", "--all", "--n-rounds", "100")
    assert "Yandex problem left out" in out
    rows = [line for line in out.splitlines() if line.startswith("│ unirank ")]
    assert len(rows) == 1


def test_real_problems_take_part_where_they_are_found(
    unirank: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = {"thetas": [n / 20 for n in range(12)], "kappas": [1.0, 0.9, 0.8, 0.7, 0.6, 0.5]}
    publisher(tmp_path, monkeypatch)("yandex-pbm", {str(n): query for n in range(11)})
    _, out, _ = unirank("bench", "random", "--n-rounds", "100", "--json")
    assert json.loads(out)["rounds"][2]["problem"] == "yandex-pbm, mean of 10"


@pytest.mark.parametrize("policy", ["toprank", "pbm-ucb"])
def test_a_policy_is_told_what_it_needs(policy: str, unirank: Run) -> None:
    code, out, _ = unirank("bench", policy, "--n-rounds", "100", "--json")
    assert code == 0
    assert {row["policy"] for row in json.loads(out)["rounds"]} == {policy}


def test_long_games_are_measured_only_where_rounds_are_skipped(unirank: Run) -> None:
    report = json.loads(unirank("bench", "cascade-ucb1", "--n-rounds", "100", "--json")[1])
    assert "10^7 rounds / random" not in report["ratios"]
    report = json.loads(unirank("bench", "unirank", "--n-rounds", "100", "--json")[1])
    assert "10^7 rounds / random" in report["ratios"]
