"""`unirank list` shows the registries."""

import json

import unirank as ur
from tests.cli.conftest import Run


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


def test_policies_are_listed_with_what_they_need(unirank: Run) -> None:
    _, out, _ = unirank("list", "policies")
    (row,) = [line for line in out.splitlines() if line.strip().startswith("toprank")]
    assert "position" in row
    assert "yes" in row  # the horizon


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
