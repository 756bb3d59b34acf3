"""Every policy, click model and experiment has a page that says what it is."""

import sys
from typing import Any

import pytest
from reference_pages.components import ours
from reference_pages.docstrings import first_sentence

from tests.docs.sources import GENERATED
from unirank import click_models, policies
from unirank.lab import list_experiments, load_experiment
from unirank.registry import Entry, Registry

FACTS = ("clicks", "knows", "horizon", "lists", "regret", "paper")
FAMILIES: dict[str, Registry[Any]] = {
    "policies": policies.registry,
    "click_models": click_models.registry,
}
COMPONENTS = [(folder, entry) for folder, registry in FAMILIES.items() for entry in ours(registry)]


def called(value: Any) -> str:
    return value.name if isinstance(value, Entry) else str(value)


@pytest.mark.parametrize(("folder", "entry"), COMPONENTS, ids=called)
def test_a_component_says_what_it_is(folder: str, entry: Entry[Any]) -> None:
    module = sys.modules[entry.cls.__module__].__doc__
    assert entry.summary, f"{entry.cls.__name__} has no docstring"
    assert len(module or "") > len(entry.summary), f"{entry.cls.__module__} does not say its idea"


@pytest.mark.parametrize(("folder", "entry"), COMPONENTS, ids=called)
def test_a_component_is_in_its_table_and_has_a_page(folder: str, entry: Entry[Any]) -> None:
    table, page = GENERATED[f"{folder}.md"], GENERATED[f"{folder}/{entry.name}.md"]
    assert (
        f"[{entry.name}]({folder}/{entry.name}.md) | {first_sentence(entry.cls.__doc__)}" in table
    )
    assert f"\n{folder}/{entry.name}\n" in table
    assert f".. autoclass:: unirank.{entry.cls.__name__}\n" in page


@pytest.mark.parametrize("entry", ours(policies.registry), ids=called)
def test_a_policy_states_its_facts(entry: Entry[Any]) -> None:
    assert set(entry.facts) == set(FACTS)
    page = GENERATED[f"policies/{entry.name}.md"]
    for fact in FACTS[:-1]:
        assert entry.facts[fact], f"{entry.name} does not say {fact}"
        assert f"| {entry.facts[fact]} |" in page.replace("\\", "")


@pytest.mark.parametrize("name", list_experiments())
def test_an_experiment_has_its_question_and_its_curves(name: str) -> None:
    page = GENERATED["experiments.md"]
    section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0].replace("\\", "")
    experiment = load_experiment(name)
    assert experiment.question in section
    for entry in experiment.policies:
        assert f"| {entry.label or entry.policy} | `{entry.policy}` |" in section
