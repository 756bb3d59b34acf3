"""How a policy is asked for, and its items in a game."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, TopRank, UniRank, list_policies, papers, policies
from unirank.policies.base.specs import (
    PolicySpec,
    class_path,
    described,
    in_game,
    policy_class,
    renamed,
    resolved,
)


@pytest.mark.parametrize(
    ("spec", "cls", "options"),
    [
        ("unirank", UniRank, {}),
        (UniRank, UniRank, {}),
        ("unirank:UniRank", UniRank, {}),
        ("plain-unirank", papers.UniRank, {}),
        (("unirank", {"early": "explore"}), UniRank, {"early": "explore"}),
        ((TopRank, {"horizon": 9}), TopRank, {"horizon": 9}),
    ],
)
def test_names_and_classes_stand_for_the_same(
    spec: PolicySpec, cls: type, options: dict[str, object]
) -> None:
    assert resolved(spec) == (cls, options)


@pytest.mark.parametrize("spec", [3, ("unirank",), ("unirank", 3), (int, {}), "unirank:PBM"])
def test_anything_else_is_refused(spec: object) -> None:
    with pytest.raises(ArgumentError, match="policy must be a name or a Policy class"):
        resolved(spec)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("unirank:UniRnk", "unknown class of unirank: 'UniRnk'; did you mean 'UniRank'"),
        ("unirnk:UniRank", "cannot import 'unirnk': ModuleNotFoundError"),
    ],
)
def test_a_wrong_path_of_a_class_is_named(path: str, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        policy_class(path)


def test_another_process_finds_every_class_by_its_path() -> None:
    for name in list_policies():
        cls = policies.registry[name]
        assert policy_class(class_path(cls)) is cls


def test_what_a_policy_needs_must_be_given() -> None:
    with pytest.raises(ArgumentError, match="policy 'toprank' needs horizon"):
        resolved("toprank")


def test_items_are_renamed_by_the_order_of_the_game() -> None:
    order = np.array([2, 0, 3, 1])  # the policy's item n is the click model's order[n]
    options = {"ranking": [3, 2], "first": None, "early": "leader", "others": [0, 1]}
    here = renamed(options, ("ranking", "first", "missing"), order)
    assert here == {**options, "ranking": [2, 0]}
    assert options["ranking"] == [3, 2]


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({}, "toprank"),
        ({"horizon": 500, "doubling": True}, "toprank (horizon=500, doubling=True)"),
        ({"horizon": 10**7}, "toprank (horizon=10^7)"),
        ({"horizon": 10_000}, "toprank (horizon=10000)"),
        ({"horizon": 20_000_000}, "toprank (horizon=20000000)"),
    ],
)
def test_a_policy_is_described_by_its_options(options: dict[str, int], label: str) -> None:
    assert described("toprank", options) == label


def test_a_policy_in_an_option_is_kept_as_data_and_its_items_are_renamed() -> None:
    options: dict[str, Any] = {"policy": ("oracle", {"ranking": [2, 0]}), "by": "device"}
    assert policies.PerContext(3, 2, **options).options == {
        "policy": ["oracle", {"ranking": [2, 0]}],
        "by": ["device"],
    }
    order = np.array([1, 2, 0])  # item 0 of the game is item 1 of the click model
    here = in_game(policies.PerContext, options, order)
    assert here["policy"] == ["oracle", {"ranking": [1, 2]}]
