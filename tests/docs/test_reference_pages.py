"""The reference has a page for every policy and click model, and public names say what they are."""

import sys
from pathlib import Path
from typing import Any

import pytest
from reference_pages import USED, idea, pages, public_names, registered, used_names, write_pages

import unirank
from tests.docs.sources import GENERATED
from unirank.registry import Entry

COMPONENTS = registered()


@pytest.mark.parametrize(("folder", "entry"), COMPONENTS, ids=[e.name for _, e in COMPONENTS])
def test_a_component_is_in_its_table_and_has_a_page(folder: str, entry: Entry[Any]) -> None:
    table, page = GENERATED[f"{folder}.md"], GENERATED[f"{folder}/{entry.name}.md"]
    assert f"| [{entry.name}]({folder}/{entry.name}.md) | {entry.summary} |" in table
    assert f"\n{folder}/{entry.name}\n" in table
    assert f".{entry.cls.__name__}\n   :members:" in page
    module = sys.modules[entry.cls.__module__].__doc__ or ""
    assert len(module) > len(entry.summary) > 0, f"{entry.cls.__module__} does not say its idea"


def test_a_policy_states_its_facts() -> None:
    for entry in unirank.policies.registry:
        missing = {fact for fact, value in entry.facts.items() if not value} - {"paper"}
        assert not missing, f"{entry.name} does not say {missing}"


@pytest.mark.parametrize("name", unirank.__all__)
def test_a_public_name_has_a_docstring(name: str) -> None:
    own = getattr(unirank, name).__doc__
    assert own, f"unirank.{name} has no docstring"
    assert not own.startswith(f"{name}("), f"unirank.{name} has only the docstring of a dataclass"


def test_every_experiment_and_plain_edition_is_shown() -> None:
    for name in unirank.list_experiments():
        assert f"lab/experiments/{name}.toml" in GENERATED["experiments.md"]
    for entry in unirank.policies.registry.plain:
        assert f"| `{entry.name}` |" in GENERATED["plain_editions.md"]


def test_an_idea_is_paragraphs_formulas_and_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Idea.\n\nA line\n- and a *star*.\n\n    f_1  <  2\n\nEach round:\n    go  home\n"
    monkeypatch.setattr(sys.modules[__name__], "__doc__", text)
    paragraphs = ["Idea.", "A line - and a \\*star\\*.", "$$\nf_{1} < 2\n$$"]
    assert idea(__name__).split("\n\n") == [*paragraphs, "Each round:", "go\n: home"]


def test_a_page_lists_what_its_class_inherits() -> None:
    assert set(USED) == set(used_names(unirank.Policy))
    page = GENERATED["policies/matchrank.md"]
    assert "| {py:obj}`rank <unirank.Policy.rank>` | Choose the ranking" in page
    assert "<unirank.Policy.initial_state>" not in page
    models = GENERATED["click_models/cm.md"]
    assert "| {py:obj}`draw_clicks <unirank.ClickModel.draw_clicks>` | Clicks of one user" in models


def test_the_page_of_policies_shows_what_users_call_first() -> None:
    users, authors = GENERATED["python/Policy.md"].split("## For authors of policies")
    assert "   :members: rank, rank_many, update" in users
    assert ".. automethod:: unirank.Policy.initial_state\n" in authors
    assert "unirank.Policy.rank\n" not in authors


@pytest.mark.parametrize("name", public_names())
def test_a_public_name_has_a_page_and_stands_in_the_table(name: str) -> None:
    assert f"| [`ur.{name}`](python/{name}.md) | " in GENERATED["python.md"]
    assert f":: unirank.{name}\n" in GENERATED[f"python/{name}.md"]


def test_a_policy_shows_its_plain_edition() -> None:
    page = GENERATED["policies/toprank.md"]
    assert "## In plain Python" in page
    assert "unirank/policies/top_rank/paper.py\n:language: python\n:pyobject: TopRank" in page
    assert r"S_{ij} & {} \ge \sqrt{" in page


def test_pages_are_written_and_stale_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "gone.md").write_text("# gone")
    write_pages(tmp_path)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md")}
    assert written == pages().keys()
