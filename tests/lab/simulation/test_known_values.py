"""What the option value "told" stands for."""

from typing import Any

import pytest

from unirank import CM, DBN, PBM, ArgumentError, PlainPolicy, TopRank, UniRank
from unirank.lab.simulation.known_values import (
    check_values,
    label_as_asked,
    needed_options,
    with_known_values,
)
from unirank.policies import PBMPIE, PBMUCB, Oracle, registry
from unirank.policies.base.options import Horizon

USERS = PBM([0.1, 0.3, 0.2], [1.0, 0.5, 0.1])


class Patient(PlainPolicy):
    """A horizon under another name: the kind of the option decides, not its name."""

    rounds_to_come: Horizon
    horizon: str = "near"


@pytest.mark.parametrize(
    ("cls", "option", "value"),
    [
        (TopRank, "horizon", 500),
        (PBMPIE, "horizon", 500),
        (PBMUCB, "examination", [1.0, 0.5]),
        (Oracle, "ranking", [1, 2]),
        (Patient, "rounds_to_come", 500),
    ],
)
def test_each_value_is_that_of_the_problem(cls: Any, option: str, value: Any) -> None:
    assert with_known_values(cls, {option: "told"}, USERS, 2, 500) == {option: value}


def test_the_best_ranking_is_that_of_the_objective() -> None:
    users = DBN([0.5, 0.4], [1.0, 0.0], 0.0)
    told = [
        with_known_values(Oracle, {"ranking": "told"}, users, 2, 500, objective)["ranking"]
        for objective in ("clicks", "first-click")
    ]
    assert told == [[1, 0], [0, 1]]


def test_other_values_stay() -> None:
    assert with_known_values(TopRank, {"horizon": 3}, USERS, 2, 500) == {"horizon": 3}


def test_models_other_than_pbm_examine_every_position_that_is_reached() -> None:
    found = with_known_values(PBMUCB, {"examination": "told"}, CM([0.1, 0.2]), 2, 10)
    assert found == {"examination": [1.0, 1.0]}


@pytest.mark.parametrize(
    ("cls", "option", "known"),
    [(UniRank, "early", "none"), (Patient, "horizon", "rounds_to_come"), (TopRank, "x", "horizon")],
)
def test_nothing_else_can_be_told(cls: Any, option: str, known: str) -> None:
    with pytest.raises(ArgumentError, match=f'{option} of .* cannot be "told"; .*: {known}$'):
        with_known_values(cls, {option: "told"}, USERS, 2, 500)


def test_needed_options_are_those_without_a_default() -> None:
    assert needed_options(UniRank, USERS, 2, 500) == {}
    assert needed_options(PBMPIE, USERS, 2, 500) == {"examination": [1.0, 0.5]}
    assert needed_options(TopRank, USERS, 2, 500) == {"horizon": 500}


@pytest.mark.parametrize(
    ("policy", "options", "rule"),
    [
        ("toprank", {"horizon": 0}, "horizon must be"),
        ("unirank", {"early": "told"}, 'early of unirank cannot be "told"; options that can: '),
        ("unirank", {"early": "never"}, "unknown early 'never'"),
        ("per-context", {"policy": ("toprank", {"horizon": 0}), "by": []}, "horizon must be"),
        (
            "per-context",
            {"policy": ("unirank", {"early": "told"}), "by": []},
            'early of unirank cannot be "told"; options that can: ',
        ),
    ],
)
def test_values_are_checked_without_users(policy: str, options: dict[str, Any], rule: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{rule}"):
        check_values(registry[policy], options)
    check_values(registry["toprank"], {"horizon": "told"})


def test_a_label_says_told_where_a_policy_or_one_in_its_options_is_told_something() -> None:
    assert label_as_asked("toprank", {"horizon": 9}) == ""
    assert label_as_asked("toprank", {"horizon": "told"}) == "toprank (horizon=told)"
    inner = ["toprank", {"horizon": "told"}]
    asked = f"per-context (policy={inner}, by=device)"
    assert label_as_asked("per-context", {"policy": inner, "by": "device"}) == asked
    assert label_as_asked("per-context", {"policy": "unirank", "by": "device"}) == ""
