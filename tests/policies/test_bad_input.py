"""What cannot be: each is refused in one line, and the policy stays as it was."""

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from unirank import ArgumentError, MatchRank, Policy, TopRank, UniRank

ITEMS = ["tea", "mug", "pot", "tray"]
OPTIONS: dict[type[Policy], dict[str, Any]] = {
    UniRank: {"budget": "ln"},
    TopRank: {"horizon": 50},
    MatchRank: {"propensity": "estimate"},
}


def altered(token: str) -> str:
    return token[:30] + ("A" if token[30] != "A" else "B") + token[31:]


def made(cls: type[Policy], items: list[str] = ITEMS, n_positions: int = 2, **more: Any) -> Policy:
    needed = {"horizon": 1000} if cls is TopRank else {}
    return cls(items, n_positions, **{**needed, **more})


Attempt = Callable[[Policy, Any], Any]
ATTEMPTS: dict[str, tuple[Attempt, str]] = {
    "unknown item in available": (
        lambda policy, shown: policy.rank(["tea", "mugs"]),
        "unknown item in available: 'mugs'; did you mean 'mug'?",
    ),
    "fewer available than positions": (
        lambda policy, shown: policy.rank(["tea"]),
        "available must hold at least n_positions=2 items, got 1",
    ),
    "duplicate add": (
        lambda policy, shown: policy.add("tea"),
        "item must be new, got 'tea', which is there already",
    ),
    "remove of an unknown item": (
        lambda policy, shown: policy.remove("mugs"),
        "unknown item in remove: 'mugs'; did you mean 'mug'?",
    ),
    "negative reward": (
        lambda policy, shown: policy.update(shown, rewards={shown.items[0]: -0.5}),
        "rewards must be",
    ),
    "a reward that is no number": (
        lambda policy, shown: policy.update(shown, rewards={shown.items[0]: float("nan")}),
        "rewards must be",
    ),
    "a reward above 1": (
        lambda policy, shown: policy.update(shown, rewards={shown.items[0]: 2}),
        "rewards must be",
    ),
    "foreign token": (
        lambda policy, shown: policy.update(made(type(policy)).rank().token, []),
        "shown must be a ranking this policy gave",
    ),
    "altered token": (
        lambda policy, shown: policy.update(altered(shown.token), []),
        "token must be",
    ),
    "replayed token": (
        lambda policy, shown: policy.update(1, []),
        "round 1 was already updated",
    ),
    "merge of another policy": (
        lambda policy, shown: policy.merge(made(type(policy))),
        "other must be a copy of this policy",
    ),
    "merge of other items": (
        lambda policy, shown: policy.merge(made(type(policy), [*ITEMS[1:], "jar"])),
        "other must have the same items",
    ),
    "merge of other positions": (
        lambda policy, shown: policy.merge(made(type(policy), n_positions=3)),
        "other must have the same n_positions",
    ),
    "merge of other options": (
        lambda policy, shown: policy.merge(made(type(policy), **OPTIONS[type(policy)])),
        "other must have the same options",
    ),
    "merge of another half-life": (
        lambda policy, shown: policy.merge(made(type(policy), half_life=9)),
        "other must have the same half_life",
    ),
    "merge of what has learnt nothing": (
        lambda policy, shown: policy.merge(copy(policy)),
        "other must have learnt something that this policy has not",
    ),
}


@pytest.mark.parametrize("what", ATTEMPTS)
@pytest.mark.parametrize("cls", [UniRank, TopRank, MatchRank])
def test_it_is_refused_in_one_line_and_changes_nothing(cls: type[Policy], what: str) -> None:
    policy = made(cls, seed=1)
    first = policy.rank()
    policy.update(first, first.items[:1])
    shown = policy.rank()
    before = policy.to_saved()
    attempt, told = ATTEMPTS[what]
    with pytest.raises(ArgumentError) as caught:
        attempt(policy, shown)
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)
    assert policy.to_saved() == before
    policy.update(shown, [])
