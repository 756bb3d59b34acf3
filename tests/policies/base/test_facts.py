"""Facts are typed, and the table of policies follows from facts and options."""

import pytest

import unirank as ur
from unirank.errors import UnknownNameError
from unirank.lab import list_experiments, load_experiment
from unirank.policies import registry
from unirank.policies.base.facts import display_label, display_name, table_row


@pytest.mark.parametrize(
    ("name", "knows", "horizon"),
    [
        ("unirank", "position order", "no"),
        ("toprank", "position order", "yes"),
        ("pbm-pie", "examination, position order", "optional"),
        ("grab", "nothing", "optional"),
        ("oracle", "the best ranking", "no"),
        ("bubblerank", "position order, a start list", "yes"),
        ("pb-mhb", "a position always examined", "no"),
    ],
)
def test_what_a_policy_must_know_follows_from_its_options(
    name: str, knows: str, horizon: str
) -> None:
    row = table_row(registry[name])
    assert (row["knows"], row["horizon"]) == (knows, horizon)


def test_plain_editions_have_names_that_lists_leave_out() -> None:
    assert registry["plain-unirank"] is ur.papers.UniRank
    assert registry["plain-unirank"].facts is ur.UniRank.facts
    assert not any(name.startswith("plain-") for name in ur.list_policies())
    with pytest.raises(UnknownNameError, match="did you mean 'plain-unirank'"):
        registry["plain-unirnk"]


def test_a_subclass_keeps_the_facts_of_its_parent() -> None:
    assert type("Mine", (ur.UniRank,), {}).facts.position_order  # type: ignore[attr-defined]


def test_a_policy_has_one_name_for_people_and_it_is_that_of_the_experiments() -> None:
    names = [display_name(entry.name) for entry in registry]
    assert len(set(names)) == len(names)
    for experiment in list_experiments():
        for entry in load_experiment(experiment).policies:
            if entry.label and not entry.options:
                assert entry.label == display_name(entry.policy)


@pytest.mark.parametrize(
    ("policy", "label", "shown"),
    [
        ("pb-mhb", "pb-mhb", "PB-MHB"),
        ("toprank", "toprank (horizon=told)", "TopRank (horizon=told)"),
        ("plain-random", "plain-random", "Random, plain"),
        ("toprank", "TopRank, right horizon", "TopRank, right horizon"),
        ("Mine", "Mine (depth=3)", "Mine (depth=3)"),
        ("random", "randomly", "randomly"),
    ],
)
def test_a_label_that_begins_with_a_name_is_shown_as_people_write_it(
    policy: str, label: str, shown: str
) -> None:
    assert display_label(policy, label) == shown
