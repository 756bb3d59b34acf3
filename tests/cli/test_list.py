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
    assert rows["unirank"]["what it does"].startswith("Explores next to")
