"""What a page's numbers say in words."""

from typing import Any

import pytest

from unirank.server.api import ArmCounts, Holdout, Lift, PageSettings, PageSummary
from unirank.server.dashboard.standing import (
    fairness_of,
    groups_of,
    left_out_of,
    lift_in_words,
    state_of,
    waiting_of,
)

BOTH = {"learner": ArmCounts(900, 450, 0.5), "holdout": ArmCounts(100, 40, 0.4)}

LEARNER_ONLY = Lift(None, None, None, {"learner": BOTH["learner"]})
NOTHING = Lift(None, None, None)
WITHOUT = PageSettings(["a", "b"], 2, holdout=Holdout(0.0))


def page(**fields: Any) -> PageSummary:
    values: dict[str, Any] = {
        "page": "p",
        "mode": "learn",
        "policy": "matchrank",
        "n_positions": 2,
        "items": ["a", "b"],
        "removed": [],
        "settings": PageSettings(["a", "b"], 2),
        "leader": [["a"], ["b"]],
        "frozen": None,
        "views": 1000,
        "clicks": 490,
        "arms": BOTH,
        "exploration_share": 0.2,
        "lift": Lift(0.1, 0.02, 0.18, BOTH),
        "sample_ratio": 0.5,
        "settled": False,
    }
    return PageSummary(**{**values, **fields})


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "trying"),
        ({"settled": True}, "settled"),
        ({"views": 0}, "waiting"),
        ({"mode": "frozen", "settled": True}, "frozen"),
        ({"mode": "observe"}, "observing"),
    ],
)
def test_the_state(fields: dict[str, Any], state: str) -> None:
    assert state_of(page(**fields)) == state


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, "gain"),
        ({"lift": Lift(-0.1, -0.2, -0.01, BOTH)}, "loss"),
        ({"lift": Lift(0.1, -0.02, 0.22, BOTH)}, "open"),
        ({"lift": Lift(0.1, None, None, BOTH)}, "early"),
        ({"sample_ratio": 1e-5}, "broken"),
        ({"lift": LEARNER_ONLY, "settings": WITHOUT}, "none"),
        ({"lift": LEARNER_ONLY}, "early"),
        ({"lift": NOTHING, "views": 0}, "none"),
        ({"lift": NOTHING}, "none"),
        ({"mode": "observe", "lift": NOTHING}, "none"),
    ],
)
def test_the_verdict_on_the_lift(fields: dict[str, Any], verdict: str) -> None:
    assert lift_in_words(page(**fields)).verdict == verdict


def test_the_lift_is_told_as_a_share_of_the_holdouts_clicks() -> None:
    assert lift_in_words(page()).relative == "about 25 % more"
    assert lift_in_words(page(lift=Lift(-0.1, -0.2, -0.01, BOTH))).relative == "about 25 % fewer"


def test_a_page_with_a_new_comparison_says_so() -> None:
    assert lift_in_words(page(lift=NOTHING)).headline == "The comparison begins anew"


def test_a_page_without_outcomes_says_what_lists_wait_for() -> None:
    found = lift_in_words(page(lift=NOTHING, views=0))
    assert found.headline == "No outcome yet"
    assert "window of 600 seconds" in found.text


def test_the_figures_are_those_of_this_comparison() -> None:
    new = page(lift=Lift(None, None, None, {}, left_out=1000))
    assert [(group.key, group.counts.views) for group in groups_of(new)] == [
        ("learner", 0),
        ("holdout", 0),
    ]
    assert left_out_of(new).startswith("1,000 others are left out")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["what is learnt", "today's order (holdout)"]),
        ({"mode": "frozen"}, ["the frozen order", "today's order (holdout)"]),
        ({"settings": WITHOUT}, ["what is learnt"]),
        (
            {"mode": "observe", "lift": NOTHING, "arms": {"observed": BOTH["holdout"]}},
            ["today's order (observed)"],
        ),
    ],
)
def test_the_groups_are_named_by_what_they_see(fields: dict[str, Any], words: list[str]) -> None:
    assert [group.words for group in groups_of(page(**fields))] == words


def test_nothing_is_said_where_nothing_is_left_out() -> None:
    assert left_out_of(page()) == ""


@pytest.mark.parametrize("sample_ratio", [0.5, 1e-5])
def test_without_a_holdout_nothing_is_compared_whatever_was_before(sample_ratio: float) -> None:
    begun = page(lift=LEARNER_ONLY, settings=WITHOUT, sample_ratio=sample_ratio)
    changed = page(lift=NOTHING, settings=WITHOUT, sample_ratio=sample_ratio)
    assert lift_in_words(changed) == lift_in_words(begun)
    assert lift_in_words(changed).headline == "No holdout"
    assert fairness_of(begun) == fairness_of(changed) == ""


def test_a_few_visitors_do_not_make_a_comparison_fair() -> None:
    one = Lift(None, None, None, {"learner": ArmCounts(1, 0, 0.0)})
    assert "too few visitors" in fairness_of(page(views=1, lift=one, sample_ratio=1.0))
    assert fairness_of(page(views=0, lift=NOTHING)) == ""


def test_a_fair_comparison_is_said_without_its_p_value() -> None:
    assert fairness_of(page(sample_ratio=0.5)).endswith("the comparison is fair.")
    assert "p =" not in fairness_of(page(sample_ratio=0.5))


def test_a_comparison_that_is_not_fair_is_a_headline_with_its_p_value() -> None:
    broken = page(sample_ratio=1e-5)
    assert "p = 1e-05" in lift_in_words(broken).text
    assert fairness_of(broken) == ""


def test_reports_that_are_final_wait_to_be_compared() -> None:
    found = page(lift=Lift(None, None, None, waiting=1000))
    assert lift_in_words(found).headline == "Nothing to compare yet"
    assert waiting_of(found).startswith("1,000 views whose reports were final count here when")
