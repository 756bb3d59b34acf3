"""A policy in a program has rounds; a copy without rounds is for callers that number them."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from copy import copy
from typing import Any
from weakref import ref

import pytest

from tests.policies.situations import contents
from unirank import ArgumentError, Policy, UniRank
from unirank.errors import UnknownNameError
from unirank.policies import RandomOrder, registry

BOTH = pytest.mark.parametrize("cls", [RandomOrder, UniRank])


@BOTH
def test_a_caller_may_number_rounds_itself(cls: type[Policy]) -> None:
    items = ["a", "b", "c", "d"]
    policy, other = cls(items, 2, seed=1), cls(items, 2, seed=1)
    lists = [policy.rank_at(number).items for number in (7, 7, 8, 10**9, 12, 13)]
    assert lists[0] == lists[1]
    assert len(set(lists)) > 1
    assert other.rank_at(8).items == lists[2]
    assert (policy.round, len(policy._on_page().unanswered)) == (0, 0)
    shown = policy.rank_at(9, available=["a", "b", "d"])
    assert "c" not in shown.items
    policy.learn(shown.items, shown.memory, shown.items[:1])
    assert policy.rank().round == 1


@pytest.mark.parametrize("name", [entry.name for entry in registry])
def test_a_copy_without_rounds_ranks_the_same_and_changes_nothing(name: str) -> None:
    items = ("a", "b", "c", "d")
    policy = registry[name](items, 2, seed=3, **registry[name].example_options(items, 2))
    for number in range(20):
        shown = policy.rank()
        policy.update(shown, clicks={"ab"[number % 2]} & set(shown.items))
    before = contents(policy)
    twin, again = policy.without_rounds(), copy(policy)
    lists = [twin.rank_at(number).items for number in range(100, 110)]
    assert lists == [again.rank_at(number).items for number in range(100, 110)]
    assert contents(policy) == before
    assert twin.rank().round == 1


def test_a_copy_without_rounds_does_not_know_what_came_later() -> None:
    policy = UniRank(["a", "b", "c"], 2, seed=3)
    twin = policy.without_rounds()
    policy.add("d")
    policy.remove("a")
    with pytest.raises(UnknownNameError):
        twin.rank_at(1, available=["a", "b", "d"])
    assert set(twin.rank_at(1, available=["a", "b"]).items) == {"a", "b"}


@pytest.mark.parametrize("setting", [{"max_pending": 0}, {"token_key": ""}])
def test_settings_of_the_rounds_are_refused_at_once(setting: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=f"^{next(iter(setting))} must be"):
        UniRank(4, 2, **setting)


def test_a_copy_without_rounds_has_no_lock_and_gets_rounds_when_asked() -> None:
    twin = UniRank(4, 2, seed=1).without_rounds()
    assert twin._rounds is None
    assert isinstance(twin._guard, nullcontext)
    for again in (copy(twin), pickle.loads(pickle.dumps(twin))):
        assert again.rank_at(3).items == twin.rank_at(3).items
    assert copy(twin)._rounds is None
    twin.update(twin.rank(), [])
    assert twin.round == 1


def test_a_list_that_no_rounds_gave_has_a_memory_and_no_token() -> None:
    shown = UniRank(4, 2, seed=1).rank_at(7)
    assert shown.memory
    assert pickle.loads(pickle.dumps(shown)) == shown
    with pytest.raises(ArgumentError, match=r"^a ranking has a token only as rank"):
        _ = shown.token


@pytest.mark.parametrize(
    "look", [lambda p: p.leader, lambda p: p.explain(), lambda p: p.rank_at(9)]
)
def test_whoever_looks_waits_for_the_thread_that_has_the_policy(look: Any) -> None:
    policy = UniRank(6, 3, seed=1)
    with ThreadPoolExecutor(1) as pool:
        with policy._on_page().lock:
            waiting = pool.submit(look, policy)
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.05)
        waiting.result(timeout=60)


def test_what_learn_teaches_is_merged_too() -> None:
    policy = UniRank(4, 2, seed=1)
    other = copy(policy)
    shown = other.rank_at(1)
    other.learn(shown.items, shown.memory, shown.items[:1])
    policy.merge(copy(other))
    assert policy.state.wins.tolist() == other.state.wins.tolist()
    assert policy.state.wins.sum() > 0


def test_a_policy_that_nobody_uses_is_freed_at_once() -> None:
    policy = UniRank(4, 2, seed=1)
    policy.update(policy.rank(), [])
    watched = ref(policy)
    del policy
    assert watched() is None
