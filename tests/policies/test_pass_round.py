"""Letting a round pass changes what choosing a list for nobody would: array by array."""

from random import Random
from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, Policy, Ranking
from unirank.policies import registry
from unirank.policies.base.specs import policy_class

ITEMS = tuple("abcdefg")
N_POSITIONS = 3
NAMES = [*registry.names(), *registry.plain.names()]
SPECIAL: list[tuple[str, dict[str, Any]]] = [
    *((name, {"half_life": 20}) for name in ("unirank", "toprank", "matchrank")),
    ("toprank", {"horizon": 50, "doubling": True}),
    ("unirank", {"early": "explore"}),
]


def made(name: str, **options: Any) -> Policy:
    cls = policy_class(name)
    options = {**cls.example_options(ITEMS, N_POSITIONS), **options}
    return cls(ITEMS, N_POSITIONS, seed=3, **options).without_rounds()


def assert_same(one: Any, other: Any) -> None:
    """Same statistics: arrays by their numbers, and whatever a plain policy keeps."""
    first, second = one.statistics(), other.statistics()
    assert first.keys() == second.keys()
    for name, value in first.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, second[name], err_msg=name)
        else:
            assert str(value) == str(second[name]), name


def seen(shown: Ranking) -> tuple[Any, ...]:
    return shown.items, str(shown.propensity), shown.memory


def learns(policy: Policy, shown: Ranking, clicks: list[Any]) -> bool:
    """Learn, unless the policy knows no such list: OSUB, of a list that only its copy has met."""
    try:
        policy.learn(shown.items, shown.memory, clicks)
    except (ArgumentError, KeyError):
        assert policy.name in ("osub", "OSUB", "plain-osub")
        return False
    return True


def check(name: str, n_rounds: int, **options: Any) -> None:
    """Learn from lists of a copy that is behind, late and among some items, in both ways."""
    ranking, passing = made(name, **options), made(name, **options)
    server, draw = ranking.without_rounds(), Random(1)
    waiting: list[tuple[list[str] | None, Ranking]] = []
    changes = ranking.facts.catalogue
    for number in range(1, n_rounds + 1):
        if draw.random() < 0.2:
            server = ranking.without_rounds()
        available = None
        if ranking.facts.availability and draw.random() < 0.4:
            available = [item for item in ITEMS[:-1] if item != draw.choice(ITEMS[:-1])]
        waiting.append((available, server.rank_at(10_000 + number, available)))
        if draw.random() < 0.3:  # its clicks are late, and several answers come at once
            continue
        for choice, shown in waiting:
            clicks = [i for i in shown if draw.random() < 0.1 + ranking.items.index(i) / 9]
            ranking.rank_at(number, choice)
            passing.pass_round(number, choice)
            assert learns(ranking, shown, clicks) == learns(passing, shown, clicks)
        waiting.clear()
        if number % 10 == 0:
            assert_same(ranking, passing)
        if changes and number == n_rounds // 2:
            for policy in (ranking, passing):
                policy.add("new")
                policy.remove("g")
            waiting, server = [], ranking.without_rounds()
    for number in range(n_rounds + 1, n_rounds + 20):
        assert seen(ranking.rank_at(number)) == seen(passing.rank_at(number))
        for policy in (ranking, passing):
            policy.pass_round(number)
    assert_same(ranking, passing)


@pytest.mark.parametrize("name", NAMES)
def test_passing_is_ranking_for_nobody(name: str) -> None:
    check(name, 200 if name in registry.names() else 60)


@pytest.mark.parametrize(("name", "options"), SPECIAL)
def test_so_it_is_with_options_that_count_rounds(name: str, options: dict[str, Any]) -> None:
    check(name, 400, **options)


@pytest.mark.parametrize("name", ["unirank", "matchrank", "toprank"])
def test_a_round_that_passes_is_counted(name: str) -> None:
    policy = made(name, **({"half_life": 50} if name != "unirank" else {}))
    before = {key: np.array(value) for key, value in policy.statistics().items()}
    policy.pass_round(1)
    policy.pass_round(2, available=["a", "b", "c", "d"])
    after = policy.statistics()
    assert any(not np.array_equal(before[key], after[key]) for key in before)


@pytest.mark.parametrize("name", ["matchrank", "toprank"])
def test_no_state_of_some_items_is_made_where_none_is_needed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise AssertionError("pairs of the available items were gathered")

    policy = made(name)
    monkeypatch.setattr(type(policy), "restricted_state", fail)
    policy.pass_round(1, available=["a", "b", "c", "d"])
