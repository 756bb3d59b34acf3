"""start= and trust=: the order that a policy begins with."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from unirank import PBM, ArgumentError, MatchRank, Policy, UniRank, load, simulate
from unirank.policies import registry
from unirank.policies.base.facts import names_with
from unirank.policies.base.start_order import score_of, wins_of

ITEMS = ["tea", "mug", "pot", "tray", "jar"]
ABLE = names_with("start")
BOTH = [*ABLE, *(f"plain-{name}" for name in ABLE)]
USERS = PBM(attraction=np.linspace(0.4, 0.1, 6), examination=[1.0, 0.6, 0.4])


@pytest.mark.parametrize("trust", [1, 2, 3, 10, 20, 99, 1000, 10**6])
def test_the_item_ahead_has_won_half_and_half_a_standard_deviation(trust: int) -> None:
    won, lost = score_of(trust)
    assert won + lost == trust
    assert 0 <= won - lost - trust**0.5 / 2 < 2
    assert won > lost


def test_items_left_out_stand_behind_in_no_order() -> None:
    won, lost = score_of(20)
    expected = [[0, lost, 0, lost], [won, 0, won, won], [0, lost, 0, lost], [won, lost, won, 0]]
    assert wins_of([1, 3], 20, 4).tolist() == expected


@pytest.mark.parametrize("name", BOTH)
def test_it_begins_with_the_order(name: str) -> None:
    policy = registry[name](ITEMS, 2, seed=1, start=["jar", "pot", "mug"], trust=10**6)
    shown = [policy.rank().items for _ in range(30)]
    assert shown.count(("jar", "pot")) > 15  # UniRank and MatchRank try others in between


@pytest.mark.parametrize("name", BOTH)
def test_it_is_saved_as_what_is_known(name: str, tmp_path: Path) -> None:
    policy = registry[name](ITEMS, 2, seed=1, start=ITEMS[::-1], trust=5)
    policy.save(tmp_path / "state")
    again: Any = load(tmp_path / "state")
    assert contents(again) == contents(policy)
    for _ in range(100):
        left, right = policy.rank(), again.rank()
        assert left.items == right.items
        for one, shown in ((policy, left), (again, right)):
            one.update(shown, shown.items[:1])


@pytest.mark.parametrize("name", ABLE)
def test_a_start_right_loses_less_and_a_wrong_one_a_few_times_as_much(name: str) -> None:
    order = list(range(6))
    lost = {
        label: simulate(
            (name, options), USERS, n_positions=3, n_rounds=3000, n_games=20, progress=False
        ).mean[-1]
        for label, options in (
            ("none", {}),
            ("right", {"start": order}),
            ("wrong", {"start": order[::-1]}),
        )
    }
    assert lost["right"] < 0.9 * lost["none"]
    assert 1.1 * lost["none"] < lost["wrong"] < 8 * lost["none"]


@pytest.mark.parametrize("name", ABLE)
def test_an_item_can_be_added_after_a_start(name: str) -> None:
    policy: Policy = registry[name](ITEMS, 2, seed=1, start=ITEMS, trust=1000)
    policy.add("new")
    shown = [policy.rank().items for _ in range(50)]
    assert sum("tea" in items for items in shown) > 40
    assert any("new" in items for items in shown)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"trust": 3}, "trust must come with start, got trust=3 alone"),
        ({"start": ["mugs"]}, "unknown item in start: 'mugs'; did you mean 'mug'?"),
        ({"start": "tea"}, "start must be a list of item ids, got 'tea'"),
        ({"start": 3}, "start must be a list of item ids, got 3"),
        ({"start": []}, "start must not be empty, got []"),
        ({"start": ["tea", "tea"]}, "start must be unique, got 'tea' twice"),
        ({"start": ["tea"], "trust": 0}, "trust must be in 1..1000000000, got 0"),
        ({"start": ["tea"], "trust": 1.5}, "trust must be an integer in 1..1000000000, got 1.5"),
    ],
)
@pytest.mark.parametrize("cls", [UniRank, MatchRank])
def test_a_wrong_start_is_told_in_one_line(
    cls: type[Policy], settings: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        cls(ITEMS, 2, **settings)
    assert str(caught.value) == told


@pytest.mark.parametrize("settings", [{"start": ["tea"]}, {"trust": 3}])
def test_a_policy_that_cannot_names_those_that_can(settings: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=r"^mp-ts cannot use \w+; these can: [^\n]*unirank"):
        registry["mp-ts"](ITEMS, 2, **settings)
    with pytest.raises(ArgumentError, match=r"^mp-ts cannot use \w+; these can: [^\n]*unirank"):
        simulate(("mp-ts", settings), USERS, n_positions=3, n_rounds=10)
