"""Items come and go: nothing else is forgotten, beside plain Python, in any order."""

from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from tests.policies.test_availability import clicks_on, made
from unirank import ArgumentError, Policy, Ranking, UniRank, load
from unirank.policies import registry
from unirank.policies.base import kept_state
from unirank.policies.base.facts import names_with

ABLE = names_with("catalogue")


def change(policies: list[Any], draw: Random, folder: Path) -> list[Any]:
    """Add, remove, bring back, merge, or save and load, alike in all policies."""
    here = [i for i in policies[0].items if i not in policies[0].removed]
    step = draw.choice(["add", "remove", "back", "merge", "save"])
    if step == "add" and len(policies[0].items) < 14:
        for policy in policies:
            policy.add(len(policy.items))
    elif step == "remove" and len(here) > policies[0].n_positions:
        gone = draw.choice(here)
        for policy in policies:
            policy.remove(gone)
    elif step == "back" and policies[0].removed:
        back = draw.choice(policies[0].removed)
        for policy in policies:
            policy.add(back)
    elif step == "merge":
        merge_with_copies(policies, draw)
    elif step == "save":
        for n, policy in enumerate(policies):
            policy.save(folder / str(n))
        return [load(folder / str(n)) for n in range(len(policies))]
    return policies


def merge_with_copies(policies: list[Any], draw: Random) -> None:
    """Let a copy of each run apart, and merge it."""
    others = [copy(policy) for policy in policies]
    for _ in range(5):
        lists = [other.rank() for other in others]
        assert lists[0].items == lists[1].items
        clicks = clicks_on(lists[0], draw)
        for other, shown in zip(others, lists, strict=True):
            other.update(shown, clicks)
    told = []
    for policy, other in zip(policies, others, strict=True):
        try:
            policy.merge(other)
        except ArgumentError as error:  # TopRank, where a copy has started afresh
            told.append(str(error))
    assert len(told) in (0, 2), told


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("name", ABLE)
def test_compiled_and_plain_agree_in_any_order_of_changes(
    name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_state, "FEWEST_KEPT", 0 if number > 2 else 100)
    compiled, plain = made(name, number), made(f"plain-{name}", number)
    draw = Random(number)
    waiting: list[tuple[Ranking, Ranking]] = []
    for _ in range(300):
        if draw.random() < 0.1:
            compiled, plain = change([compiled, plain], draw, tmp_path)
        here = [i for i in compiled.items if i not in compiled.removed]
        available = draw.sample(here, draw.randint(3, len(here))) if draw.random() < 0.3 else None
        shown, expected = compiled.rank(available), plain.rank(available=available)
        assert shown.items == expected.items
        assert np.isclose(shown.propensity, expected.propensity, rtol=1e-9, equal_nan=True)
        assert not set(shown) & set(compiled.removed)
        waiting.append((shown, expected))
        while waiting and draw.random() < 0.6:
            shown, expected = waiting.pop(draw.randrange(len(waiting)))
            clicks = clicks_on(shown, draw)
            compiled.update(shown.token, clicks)
            plain.update(expected.round, clicks)
        if name == "unirank":
            assert compiled.leader == plain.leader
            assert compiled.explain().leader == plain.leader


@pytest.mark.parametrize("name", ABLE)
def test_an_item_added_before_the_first_round_was_always_there(name: str) -> None:
    one, two = made(name, 1, items=6), made(name, 1, items=5)
    two.add(5)
    assert contents(one) == contents(two)


@pytest.mark.parametrize("name", ["unirank", "toprank"])
def test_an_item_that_comes_back_has_its_history(name: str) -> None:
    policy, draw = made(name, 0), Random(1)
    for _ in range(100):
        shown = policy.rank()
        policy.update(shown, clicks_on(shown, draw))
    before = contents(policy)
    policy.remove(8)
    assert contents(policy) != before
    policy.add(8)
    assert contents(policy) == before


def test_a_new_item_of_unirank_is_a_neighbour_of_the_leader() -> None:
    policy, draw = UniRank(8, 3, seed=1), Random(1)
    for _ in range(2000):
        shown = policy.rank()
        policy.update(shown, clicks_on(shown, draw))
    leader = policy.leader
    policy.add("new")
    assert policy.leader[:-1] == leader[:-1]
    assert policy.leader[-1] == (*leader[-1], "new")
    assert [n.item for n in policy.explain().trying] == ["new"]


def test_a_late_answer_counts_after_the_catalogue_has_changed() -> None:
    policy, same = UniRank(8, 3, seed=1), UniRank(8, 3, seed=1)
    shown = [policy.rank() for _ in range(20)]
    policy.add("new")
    policy.remove(0)
    for one in shown:
        policy.update(one.token, [one[0]])
        same.learn(one.items, one.memory, [one[0]])
    np.testing.assert_array_equal(policy.state.wins[:8, :8], same.state.wins)


def test_the_catalogue_survives_a_file(tmp_path: Path) -> None:
    policy = UniRank(["a", "b", "c"], 2, seed=1)
    policy.add("d")
    policy.remove("a")
    policy.rank()
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    assert (copy.items, copy.removed) == (("a", "b", "c", "d"), ("a",))
    assert contents(copy) == contents(policy)


def told(policy: Policy, method: str, item: Any) -> str:
    before = policy.to_saved()
    with pytest.raises(ArgumentError) as caught:
        getattr(policy, method)(item)
    assert policy.to_saved() == before
    return str(caught.value)


def test_wrong_changes_change_nothing() -> None:
    policy = UniRank(["tea", "mug", "pot"], 2)
    assert told(policy, "add", "tea") == "item must be new, got 'tea', which is there already"
    assert told(policy, "add", 1.5) == "item must be strings or integers, got 1.5"
    assert told(policy, "remove", "mugs") == "unknown item in remove: 'mugs'; did you mean 'mug'?"
    policy.remove("mug")
    assert told(policy, "remove", "mug") == "item must be there, got 'mug', which was removed"
    assert told(policy, "remove", "tea") == (
        "item must not be one of the last n_positions=2, got 'tea': add another item first"
    )
    assert told(policy, "rank", ["tea", "mug"]).startswith("available must hold at least")


@pytest.mark.parametrize("method", ["add", "remove"])
def test_a_policy_that_cannot_names_those_that_can(method: str) -> None:
    policy = registry["mp-ts"](4, 2)
    assert told(policy, method, 9).startswith(f"mp-ts cannot {method} items; these can: ")


def test_forged_removals_are_refused() -> None:
    for removed in ([9], [-1], [0, 1]):
        saved = UniRank(3, 2).to_saved()
        saved.removed = removed
        with pytest.raises(ArgumentError, match=r"^removed must be numbers of items, and leave"):
            UniRank.from_saved(saved)


def test_more_items_than_two_bytes_can_number() -> None:
    policy = registry["random"](2**16, 2, seed=1)
    first = policy.rank()
    for _ in range(70):
        policy.rank()
    policy.add("one more")
    policy.update(first, [])
    for _ in range(70):
        policy.rank()
    assert policy._on_page().unanswered._rows["ranking"].dtype == np.uint32
    assert [number for number, _ in policy._on_page().unanswered] == list(range(2, 142))
