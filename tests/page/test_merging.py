"""Copies that ran apart are merged: what both learnt, once."""

import os
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unirank import Policy, Ranking, TopRank, UniRank, load
from unirank.errors import ArgumentError, StateFileError
from unirank.page.merging import MOST_LEARNERS, Learning, Point
from unirank.page.state_file import write_state_file
from unirank.policies import RandomOrder, registry
from unirank.policies.base.facts import names_with

ITEMS = 6


def played(policy: Policy, n_rounds: int, draw: Random) -> list[tuple[Ranking, list[Any]]]:
    """Let a policy learn; return what it showed and what was clicked."""
    pages = []
    for _ in range(n_rounds):
        shown = policy.rank()
        clicks = [item for item in shown if draw.random() < 0.6 / (1 + int(item))]
        policy.update(shown, clicks)
        pages.append((shown, clicks))
    return pages


OPTIONS: dict[str, dict[str, Any]] = {"toprank": {"horizon": 10}}
ABLE = names_with("merge")
BOTH = [*ABLE, *(f"plain-{name}" for name in ABLE)]


def new(name: str, **settings: Any) -> Policy:
    return registry[name](
        ITEMS, 3, seed=1, **OPTIONS.get(name.removeprefix("plain-"), {}), **settings
    )


def learnt(policy: Policy) -> dict[str, Any]:
    """Statistics that are sums of what was learnt, in a form that can be compared."""
    found: dict[str, Any] = policy.statistics()
    if policy.name.endswith("matchrank"):
        found = {name: found[name] for name in ("clicked", "shown", "gain", "spread")}
        # Sums of fractions depend on their order, in the last digits.
        return {name: np.round(table, 9).tolist() for name, table in found.items()}
    if policy.name.endswith("toprank"):
        return {"wins": found["wins"].tolist()}
    if isinstance(policy, UniRank):
        keys, counts = found["leader_keys"].tolist(), found["leader_counts"].tolist()
        led = {key: n for key, n in zip(keys, counts, strict=True) if n}
        return {"wins": found["wins"].tolist(), "led": led}
    return {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in found.items()}


@pytest.mark.parametrize("name", BOTH)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=40), st.permutations(range(4)), st.booleans())
def test_any_split_of_rounds_merged_in_any_order_is_one_copy(
    name: str, split: list[int], order: list[int], in_pairs: bool
) -> None:
    giver = new(name)
    played(giver, 20, Random(0))
    one, *parts = (copy(giver) for _ in range(5))
    for who, (shown, clicks) in zip(split, played(giver, len(split), Random(1)), strict=True):
        for policy in (one, parts[who]):
            policy.learn(shown.items, shown.memory, clicks)
    first, *others = (parts[n] for n in order)
    if in_pairs and {order[2], order[3]} <= set(split):
        others[1].merge(others[2])
        others.pop()
    for other in others:
        if other._on_page().learning.known(other.round) != giver_known(parts[0]):
            first.merge(other)
    assert learnt(first) == learnt(one)


def giver_known(part: Policy) -> dict[int, int]:
    """What all parts began with."""
    return part._on_page().learning.points[0].known


def test_rounds_of_leaders_are_summed_too() -> None:
    policy = UniRank(ITEMS, 3, seed=1)
    played(policy, 50, Random(0))
    common, other = learnt(policy)["led"], copy(policy)
    for n, each in enumerate((policy, other)):
        played(each, 200, Random(n))
    mine, theirs = learnt(policy)["led"], learnt(other)["led"]
    policy.merge(other)
    keys = {**mine, **theirs}
    expected = {k: mine.get(k, 0) + theirs.get(k, 0) - common.get(k, 0) for k in keys}
    assert learnt(policy)["led"] == expected
    assert sum(expected.values()) == 450


def test_workers_that_save_and_restart_are_merged_night_after_night(tmp_path: Path) -> None:
    merged: Policy = UniRank(ITEMS, 3, seed=1)
    one = UniRank(ITEMS, 3, seed=2)
    for night in range(3):
        merged.save(tmp_path / "merged")
        for worker in range(3):
            policy = load(tmp_path / "merged")
            for restart in range(2):
                for shown, clicks in played(policy, 30, Random(9 * night + 2 * worker + restart)):
                    one.learn(shown.items, shown.memory, clicks)
                policy.save(tmp_path / f"{worker}")
                policy = load(tmp_path / f"{worker}")
        merged, *others = (load(tmp_path / f"{worker}") for worker in range(3))
        for other in others:
            merged.merge(other)
    assert learnt(merged)["wins"] == learnt(one)["wins"]


def test_the_original_takes_over_a_copy_and_the_copy_the_original() -> None:
    policy = UniRank(ITEMS, 3, seed=1)
    played(policy, 20, Random(0))
    other = copy(policy)
    played(policy, 20, Random(1))
    played(other, 20, Random(2))
    policy.merge(other)
    other.merge(policy)
    assert learnt(policy) == learnt(other)


def parted() -> tuple[UniRank, UniRank]:
    policy = UniRank(ITEMS, 3, seed=1)
    played(policy, 20, Random(0))
    other = copy(policy)
    played(other, 20, Random(1))
    return policy, other


def test_nothing_is_merged_twice() -> None:
    policy, other = parted()
    policy.merge(other)
    before = policy.to_saved()
    with pytest.raises(ArgumentError, match=r"^other must have learnt something .* got nothing$"):
        policy.merge(other)
    assert policy.to_saved() == before


def test_a_copy_that_learns_on_after_it_was_merged_is_refused() -> None:
    policy, other = parted()
    played(policy, 5, Random(3))
    policy.merge(other)
    played(other, 5, Random(2))
    with pytest.raises(ArgumentError, match=r"go on with copies of the merged policy$"):
        policy.merge(other)


def test_other_policies_are_refused_in_one_line() -> None:
    policy = UniRank(ITEMS, 3, seed=1)
    for other, sentence in (
        (policy, "other must be another copy of this unirank"),
        (RandomOrder(ITEMS, 3), "other must be another copy of this unirank"),
        (7, "other must be another copy of this unirank"),
        (UniRank(5, 3), "other must have the same items"),
        (UniRank(ITEMS, 2), "other must have the same n_positions"),
        (UniRank(ITEMS, 3, early="explore"), "other must have the same options"),
        (UniRank(ITEMS, 3, position_order=[1, 0, 2]), "other must have the same position_order"),
        (UniRank(ITEMS, 3), "other must be a copy of this policy"),
    ):
        with pytest.raises(ArgumentError, match=f"^{sentence}[^\n]*$"):
            policy.merge(other)  # type: ignore[arg-type]


def test_items_that_differ_are_named() -> None:
    policy = UniRank(["a", "b", "c"], 2)
    for items, told in (
        (["a", "x", "y"], "got one without 'b' and 1 more: merge copies first, then add items"),
        (["a", "b", "c", "d"], "got one with 'd': merge copies first, then add items"),
        (["b", "a", "c"], "got the same in another order"),
    ):
        with pytest.raises(ArgumentError, match=f"^other must have the same items, {told}$"):
            policy.merge(UniRank(items, 2))


def test_items_added_since_are_refused() -> None:
    policy, other = parted()
    for each in (policy, other):
        each.add("new")
    with pytest.raises(ArgumentError, match="items must not have been added"):
        policy.merge(other)


def test_a_policy_that_cannot_names_those_that_can() -> None:
    policy = registry["mp-ts"](ITEMS, 3)
    told = r"mp-ts cannot merge; these can: matchrank, random, toprank, unirank$"
    with pytest.raises(ArgumentError, match=told):
        policy.merge(copy(policy))


@pytest.mark.parametrize("name", ["toprank", "plain-toprank"])
def test_toprank_knows_what_either_has_proved_and_what_both_prove_together(name: str) -> None:
    policy: Any = registry[name](3, 3, seed=1, horizon=100)
    other: Any = copy(policy)
    for each, item, n_rounds in ((policy, 0, 40), (other, 1, 12), (policy, 1, 12)):
        for _ in range(n_rounds):
            shown = fresh_list(policy)
            each.learn(shown.items, shown.memory, [item] if item in shown.items else [])
    assert shown_blocks(policy) == [[0], [1, 2]]
    assert shown_blocks(other) == [[0, 1, 2]]
    policy.merge(other)
    assert shown_blocks(policy) == [[0], [1], [2]]


def fresh_list(policy: Any) -> Ranking:
    """A list of a policy like this one that has learnt nothing: all items share a block."""
    return registry[policy.name](3, 3, seed=policy.rank().round, horizon=100).rank()


def shown_blocks(policy: Any) -> list[list[Any]]:
    if isinstance(policy, TopRank):
        return [list(block) for block in policy.blocks]
    return [list(block) for block in policy.block_indices()]


@pytest.mark.parametrize("name", ["toprank", "plain-toprank"])
def test_toprank_with_doubling_merges_until_a_fresh_start(name: str) -> None:
    policy = registry[name](ITEMS, 3, seed=1, horizon=50, doubling=True)
    other = copy(policy)
    played(policy, 10, Random(0))
    played(other, 10, Random(1))
    policy.merge(other)
    late = copy(policy)
    played(policy, 20, Random(2))
    played(late, 15, Random(3))
    with pytest.raises(ArgumentError, match=r"^other must leave a round of horizon=50, got 55"):
        policy.merge(late)
    played(late, 40, Random(4))
    with pytest.raises(ArgumentError, match=r"^other must not have started afresh since"):
        policy.merge(late)


@pytest.mark.parametrize("name", ["matchrank", "plain-matchrank"])
def test_matchrank_refreshes_its_model_after_a_merge(name: str) -> None:
    policy: Any = new(name)
    played(policy, 60, Random(0))
    other: Any = copy(policy)
    played(policy, 60, Random(1))
    played(other, 200, Random(2))
    policy.merge(other)
    before = policy.state.order if name == "matchrank" else policy.a
    before = np.array(before)
    policy.rank()
    now = policy.statistics()
    assert now["rounds"] == 321
    assert now["next_refresh"] > 321
    model = now["log_attraction"] if name == "matchrank" else now["a"]
    assert not np.array_equal(model, before)


@pytest.mark.parametrize("name", [n for n in BOTH if not n.endswith("random")])
def test_with_a_half_life_each_counts_by_its_own_age_and_the_common_part_by_both(
    name: str,
) -> None:
    policy = new(name, half_life=30)
    played(policy, 50, Random(0))
    parts = [copy(policy) for _ in range(3)]
    for n, part in enumerate(parts):
        played(part, 10 * (n + 1), Random(n + 1))
    common, *each = (counted(part) for part in (policy, *parts))
    left = [0.5 ** (10 * (n + 1) / 30) for n in range(3)]
    expected = sum(each) - common * (sum(left) - left[0] * left[1] * left[2])
    for order in ([0, 1, 2], [2, 0, 1]):
        first, *others = (copy(parts[n]) for n in order)
        for other in others:
            first.merge(other)
        np.testing.assert_allclose(counted(first), expected, rtol=1e-9, atol=1e-12)


COUNTS = {"clicked", "shown", "spread", "wins", "leader_counts", "rounds_led"}


@pytest.mark.parametrize("name", [name for name in BOTH if not name.endswith("random")])
def test_copies_that_forgot_what_both_knew_can_be_merged(name: str) -> None:
    """What is left of the common part is then as small as its rounding, on either side of 0."""
    for seed in range(20):
        policy = new(name, half_life=2.3)
        played(policy, 30, Random(seed))
        other = copy(policy)
        for part, n_rounds in ((policy, 82 + seed), (other, 350 - seed)):
            for _ in range(n_rounds):
                part.update(part.rank(), [])
        policy.merge(other)
        found: dict[str, Any] = policy.statistics()
        for count in COUNTS & found.keys():
            by_key = isinstance(found[count], dict)
            assert np.min(list(found[count].values()) if by_key else found[count]) >= 0


def counted(policy: Policy) -> Any:
    """What the comparisons, or the displays, of a policy that forgets count now."""
    found: dict[str, Any] = policy.statistics()
    if policy.name.endswith("matchrank"):
        lag = np.ravel(found["rounds"])[0] - np.ravel(found["aged"])[0]
        return found["shown"] * 0.5 ** (lag / 30)
    return found["wins"] / np.ravel(found["scale"])[0]


def test_rounds_answered_in_either_copy_are_answered() -> None:
    policy = UniRank(ITEMS, 3, seed=1)
    shared = policy.rank()
    other = copy(policy)
    mine, theirs, late = policy.rank(), other.rank(), other.rank()
    other.update(shared, [])  # both could
    other.update(mine.token, [])  # by the copy that did not give it
    other.update(theirs, [])
    policy.merge(other)
    for shown in (shared, mine, theirs):
        with pytest.raises(ArgumentError, match="already updated"):
            policy.update(shown.token, [])
    policy.update(late.token, [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_forked_copy_is_another_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = UniRank(ITEMS, 3, seed=1)
    played(policy, 20, Random(0))
    learner = policy._on_page().learning.learner
    monkeypatch.setattr("unirank.page.lineage.Forks.count", 10**6)
    shown = policy.rank()
    assert policy._on_page().learning.learner != learner
    assert policy._on_page().learning.before == {learner: 40}
    policy.update(shown, [])
    assert policy._on_page().learning.known(policy.round)[policy._on_page().learning.learner] == 2


def test_the_oldest_learners_are_forgotten() -> None:
    learning = Learning()
    learning.begin(Point(dict.fromkeys(range(MOST_LEARNERS + 5), 1), {}), 0)
    assert next(iter(learning.known(1))) == 6
    assert len(learning.known(1)) == MOST_LEARNERS


@pytest.mark.parametrize(
    "change", [{"statistics": {}}, {"known": [(1, 2)], "statistics": {"x": 1}}]
)
def test_a_forged_common_point_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    _, other = parted()
    saved = other.to_saved()
    assert saved.common is not None
    saved.common = msgspec.structs.replace(saved.common, **change)
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(StateFileError):
        load(tmp_path / "state")
