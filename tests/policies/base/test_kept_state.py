"""A restricted state that is kept between rounds gives the lists of one that is made anew."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.test_availability import clicks_on, made
from tests.policies.test_catalogue import change
from unirank.policies.base import kept_state
from unirank.policies.base.kept_state import KeptState

KEEPING = ["unirank", "toprank", "matchrank"]


@pytest.fixture
def all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_state, "FEWEST_KEPT", 0)


def forget_kept(policy: Any) -> None:
    policy._kept = None


@pytest.mark.usefixtures("all_kept")
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("name", KEEPING)
def test_kept_and_made_anew_are_the_same_bits(name: str, number: int, tmp_path: Path) -> None:
    policies = [made(name, number), made(name, number)]
    draw = Random(number)
    waiting: list[Any] = []
    n_kept = 0
    for _ in range(600):
        if draw.random() < 0.02:
            policies = change(policies, draw, tmp_path)
        here = [i for i in policies[0].items if i not in policies[0].removed]
        available = draw.sample(here, draw.randint(3, len(here))) if draw.random() < 0.05 else None
        forget_kept(policies[1])
        before = policies[0]._kept
        one, two = (policy.rank(available) for policy in policies)
        n_kept += before is not None and before is policies[0]._kept
        assert one.items == two.items
        assert one.memory == two.memory
        np.testing.assert_array_equal(one.propensity, two.propensity)
        waiting.append((one.round, clicks_on(one, draw)))
        while waiting and draw.random() < 0.6:
            shown, clicks = waiting.pop(draw.randrange(len(waiting)))
            for policy in policies:
                policy.update(shown, clicks)
    assert n_kept > 30
    for name, learnt in policies[0].statistics().items():
        np.testing.assert_array_equal(learnt, policies[1].statistics()[name])


@pytest.mark.usefixtures("all_kept")
@pytest.mark.parametrize("name", KEEPING)
def test_a_leader_that_is_asked_for_in_between_changes_nothing(name: str) -> None:
    asked, silent = made(name, 0), made(name, 0)
    draw = Random(3)
    for policy in (asked, silent):
        policy.remove(2)
    for _ in range(200):
        assert asked.leader if name != "toprank" else asked.blocks
        one, two = asked.rank(), silent.rank()
        assert one.items == two.items
        clicks = clicks_on(one, draw)
        asked.update(one, clicks)
        silent.update(two, clicks)


@pytest.mark.usefixtures("all_kept")
def test_a_copy_that_serves_keeps_a_state_of_its_own() -> None:
    policy = made("unirank", 0)
    policy.remove(2)
    policy.update(policy.rank(), [])
    assert policy._kept is not None
    assert policy.without_rounds()._kept is None


def test_few_items_are_not_kept() -> None:
    numbers = np.arange(10)
    assert KeptState.of("state", numbers, 20, np.zeros(1)) is None
    assert KeptState.of("state", numbers, 20, np.zeros(1), lasting=True) is not None
    kept = KeptState.of("state", np.arange(1, 200), 200, np.zeros(1))
    assert kept is not None
    assert kept.local[:3].tolist() == [-1, 0, 1]
    assert kept.has(np.arange(1, 200))
    assert not kept.has(np.arange(199))


@pytest.mark.parametrize("n_items", [20, 1000])
@pytest.mark.parametrize("name", KEEPING)
def test_a_removed_item_costs_no_pass_over_all_pairs(
    name: str, n_items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 2 if name == "toprank" else 0  # whose horizon is not reached meanwhile
    policy = made(name, number, items=n_items, n_positions=10)
    policy.remove(7)
    gather, n_gathered = policy.restricted_state, 0

    def counted(numbers: Any) -> Any:
        nonlocal n_gathered
        n_gathered += 1
        return gather(numbers)

    monkeypatch.setattr(policy, "restricted_state", counted)
    for _ in range(200):
        shown = policy.rank()
        policy.update(shown, shown.items[:1])
    assert n_gathered == 1
