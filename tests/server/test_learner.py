"""A learner is what the log says, bit for bit."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.server.api import PageSettings, RankRequest
from unirank.server.learner import Learner, best_order, new_policy
from unirank.server.serving import Serving
from unirank.server.store.store import Entry, PageRow
from unirank.server.view import HOLDOUT, LEARNER, ItemId

ITEMS: list[ItemId] = ["a", "b", "c", "d", "e"]
ROW = PageRow(1, "page", 7, b"")


def settings(policy: str = "unirank") -> PageSettings:
    options = registry[policy].example_options(tuple(ITEMS), 3)
    return PageSettings(ITEMS, 3, policy=policy, options=options)


def begun(policy: str = "unirank") -> tuple[Learner, list[Entry]]:
    learner = Learner(ROW)
    change = {"settings": msgspec.to_builtins(settings(policy))}
    entry = Entry(1, 1, 0.0, None, (), change, False)
    learner.fold(entry)
    return learner, [entry]


def played(policy: str, n: int, seed: int = 0) -> tuple[Learner, list[Entry]]:
    """A learner that met n visitors, each served by a copy that is a few outcomes behind."""
    learner, entries = begun(policy)
    chance = Random(seed)
    serving = Serving(learner, b"key")
    for number in range(2, n + 2):
        if chance.random() < 0.2:
            serving = Serving(learner, b"key")
        can_choose = registry[policy].facts.availability
        available = ITEMS[:4] if can_choose and chance.random() < 0.3 else None
        shown = serving.view(number * 10, RankRequest(available), b"", 0.0)
        clicks = tuple(p for p, i in enumerate(shown.items) if chance.random() < 0.2 + (i == "c"))
        entries.append(Entry(number, 1, 0.0, shown, clicks, None, False))
        learner.fold(entries[-1])
    return learner, entries


POLICIES = [entry.name for entry in registry]


@pytest.mark.parametrize("policy", POLICIES)
def test_replaying_the_log_gives_the_same_bytes(policy: str) -> None:
    learner, entries = played(policy, 60)
    again = Learner(ROW)
    for entry in entries:
        again.fold(entry)
    assert again.to_bytes() == learner.to_bytes()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_snapshot_goes_on_to_the_same_bytes(policy: str) -> None:
    learner, entries = played(policy, 60)
    half = Learner(ROW)
    for entry in entries[:30]:
        half.fold(entry)
    again = Learner.from_bytes(ROW, half.cursor, half.to_bytes())
    for entry in entries[30:]:
        again.fold(entry)
    assert again.to_bytes() == learner.to_bytes()


def test_it_knows_how_often_each_item_was_shown() -> None:
    learner, entries = played("unirank", 60)
    lists = [entry.view.items for entry in entries if entry.view is not None]
    assert learner.displays == Counter(item for items in lists for item in items)
    assert Learner.from_bytes(ROW, learner.cursor, learner.to_bytes()).displays == learner.displays


def test_ranking_does_not_change_a_learner() -> None:
    learner, _ = played("matchrank", 20)
    before = learner.to_bytes()
    serving = Serving(learner, b"key")
    for number in range(100, 200):
        serving.view(number, RankRequest(), b"", 0.0)
    best_order(serving.policy)
    serving.explanation()
    assert learner.to_bytes() == before


def test_an_outcome_that_is_left_out_teaches_nothing() -> None:
    learner, entries = played("unirank", 10)
    before = learner.to_bytes()
    learner.fold(entries[-1]._replace(number=12, left_out=True))
    assert learner.to_bytes() == before
    learner.fold(entries[-1]._replace(number=13))
    assert learner.to_bytes() != before


def test_only_the_learner_arm_teaches() -> None:
    learner, _ = begun()
    serving = Serving(learner, b"key")
    shown = serving.view(10, RankRequest(), b"", 0.0)
    assert shown.arm == LEARNER
    holdout = msgspec.structs.replace(shown, arm=HOLDOUT)
    learner.fold(Entry(2, 1, 0.0, holdout, (0,), None, False))
    assert learner.policy.round == 0
    assert learner.totals == {"holdout": (1, 1)}


def frozen(**change: Any) -> dict[str, Any]:
    there = msgspec.structs.replace(settings(), mode="frozen")
    return {"settings": msgspec.to_builtins(there), **change}


def test_a_frozen_order_is_the_one_of_the_log_whatever_is_learnt_again() -> None:
    learner, entries = played("unirank", 200)
    order: list[ItemId] = ["e", "d", "c", "b", "a"]
    n = learner.cursor
    entries.append(Entry(n + 1, 1, 0.0, None, (), frozen(order=order), False))
    entries.append(Entry(n + 2, 1, 0.0, None, (), {"add": ["f"]}, False))
    entries.append(Entry(n + 3, 1, 0.0, None, (), frozen(), False))  # another window, say
    again = Learner(ROW)
    for entry in entries:
        again.fold(entry._replace(left_out=entry.view is not None))
    assert again.frozen == order
    assert Serving(again, b"key").frozen == [*order, "f"]
    assert Learner.from_bytes(ROW, again.cursor, again.to_bytes()).frozen == order
    again.fold(Entry(n + 4, 1, 0.0, None, (), entries[0].change, False))
    assert again.frozen is None


def test_a_page_that_is_frozen_without_an_order_shows_its_leader() -> None:
    learner, _ = played("unirank", 200)
    best = best_order(learner.policy)
    learner.fold(Entry(999, 1, 0.0, None, (), frozen(), False))
    assert (learner.frozen, best[0]) == (best, "c")


def test_a_snapshot_of_another_version_is_refused() -> None:
    learner, _ = begun()
    state = msgspec.msgpack.decode(learner.to_bytes())
    state["version"] -= 1
    with pytest.raises(ValueError, match="snapshot of version"):
        Learner.from_bytes(ROW, 1, msgspec.msgpack.encode(state))


def test_the_second_of_two_equal_changes_does_nothing() -> None:
    learner, _ = begun()
    for number in (2, 3):
        learner.fold(Entry(number, 1, 0.0, None, (), {"add": ["f"], "remove": ["a"]}, False))
    assert learner.policy.items == ("a", "b", "c", "d", "e", "f")
    assert learner.policy.removed == ("a",)


def test_a_policy_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ArgumentError, match="n_positions must be in"):
        new_policy(PageSettings(["a"], 2), 0)
