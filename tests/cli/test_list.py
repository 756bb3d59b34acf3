"""`unirank list` shows the registries."""

import json
from importlib import import_module

import pytest

import unirank as ur
from tests.cli.conftest import Run
from unirank.cli.list import ability_marks, listed_rows, must_know

listing = import_module("unirank.cli.list")


def test_everything_registered_is_listed(unirank: Run) -> None:
    _, out, _ = unirank("list")
    for name in (*ur.list_policies(), *ur.list_click_models(), *ur.list_experiments()):
        assert name in out


def test_one_kind_at_a_time_as_json(unirank: Run) -> None:
    _, out, _ = unirank("list", "policies", "--json")
    rows = {row["name"]: row for row in json.loads(out)["policies"]}
    assert sorted(rows) == ur.list_policies()
    assert rows["unirank"]["knows"] == "position order"
    assert (rows["unirank"]["available"], rows["mp-ts"]["add/remove"]) == ("yes", "no")
    assert rows["unirank"]["what it does"].startswith("Explores next to")


def test_policies_are_listed_with_what_they_need_and_can(unirank: Run) -> None:
    _, out, _ = unirank("list", "policies")
    rows = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if line.strip()}
    assert rows["toprank"] == "toprank any horizon, order L K/Delta log T A C M F"
    assert rows["unirank"] == "unirank any order L/Delta log T A C M S F"
    assert "can: A available, C add/remove, M merge, S start, F half-life\n" in out
    assert "order: the position looked at most; horizon: rounds to come; ( ): may be given\n" in out


def test_no_word_of_the_list_is_broken_at_80_columns(
    unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = unirank("list", "policies")
    lines, words = out.splitlines(), set(out.split())
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 3 * len(ur.list_policies())
    for row in listed_rows("policies"):
        for cell in (row["name"], row["clicks"], must_know(row), row["regret"]):
            assert set(cell.split()) <= words


def test_abilities_whose_letters_collide_get_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "ABILITIES", {"merge": "merge", "memory": "memory"})
    assert ability_marks() == {"merge": "M", "memory": "E"}


def test_the_long_list_says_what_each_does_and_who_wrote_it(unirank: Run) -> None:
    _, out, _ = unirank("list", "policies", "--long")
    words = " ".join(out.split())
    assert "Explores next to the current best ordered partition" in words
    assert "Lattimore et al., NeurIPS 2018" in words
    assert "options: horizon, doubling, constant" in words


def test_markdown_has_a_row_per_name(unirank: Run) -> None:
    _, out, _ = unirank("list", "click-models", "--markdown")
    head, rule, *rows = out.strip().splitlines()
    assert head == "| name | what it does |"
    assert rule == "|---|---|"
    assert [row.split("`")[1] for row in rows] == ur.list_click_models()
