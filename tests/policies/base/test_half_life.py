"""half_life=: which numbers, what it does to statistics, and which policies have it."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from unirank import PBM, load, simulate
from unirank.errors import ArgumentError
from unirank.policies import registry
from unirank.policies.base.facts import names_with
from unirank.policies.base.half_life import aged_common, checked_half_life, growth_of, rescaled

ABLE = names_with("forgetting")
BOTH = [*ABLE, *(f"plain-{name}" for name in ABLE)]
OPTIONS: dict[str, dict[str, Any]] = {"toprank": {"horizon": 20}}
USERS = PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1], examination=[1.0, 0.6])


def new(name: str, **settings: Any) -> Any:
    return registry[name](5, 2, seed=1, **OPTIONS.get(name.removeprefix("plain-"), {}), **settings)


@pytest.mark.parametrize("value", [None, 1, 1.5, 50_000])
def test_a_half_life_is_a_number_of_rounds(value: Any) -> None:
    assert checked_half_life(value) == value


@pytest.mark.parametrize("value", [0, 0.5, -1, 1e16, float("inf"), float("nan"), "long", True])
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^half_life must be [^\n]*, got [^\n]*$"):
        checked_half_life(value)


def test_the_scale_doubles_in_a_half_life() -> None:
    assert growth_of(None) == 1.0
    assert growth_of(20) ** 20 == pytest.approx(2.0)


def test_what_counts_next_to_nothing_is_forgotten() -> None:
    assert rescaled(np.array([2.0, 1e-8, 0.0]), 100.0).tolist() == [0.02, 0.0, 0.0]


def test_without_a_half_life_the_common_part_is_subtracted_once() -> None:
    assert aged_common(30, 50, 20, half_life=None) == (1.0, 60)


def test_with_a_half_life_the_common_part_has_aged_in_both() -> None:
    share, clock = aged_common(30, 40, 20, half_life=10)
    assert share == pytest.approx(1 / 2 + 1 / 4 - 1 / 8)
    assert clock == 50


@pytest.mark.parametrize(("name", "half_life"), list(product(BOTH, [1, 7.5])))
def test_a_saved_policy_goes_on_exactly(name: str, half_life: float, tmp_path: Path) -> None:
    policy = new(name, half_life=half_life)
    play(policy, 30)  # with a half-life of 1, past a rescaling
    policy.save(tmp_path / "state")
    again: Any = load(tmp_path / "state")
    assert again.half_life == half_life
    assert f"half_life={float(half_life)}" in repr(again)
    for _ in range(3):
        assert contents(again) == contents(policy)
        assert play(again, 10) == play(policy, 10)


def play(policy: Any, n_rounds: int) -> list[Any]:
    lists = []
    for _ in range(n_rounds):
        shown = policy.rank()
        policy.update(shown, {0, 2, 4} & set(shown))
        lists.append(shown.items)
    return lists


@pytest.mark.parametrize("name", ABLE)
def test_a_very_long_half_life_is_next_to_none(name: str) -> None:
    lost = [
        simulate((name, options), USERS, n_positions=2, n_rounds=2000, n_games=10, progress=False)
        for options in (OPTIONS.get(name, {}), {**OPTIONS.get(name, {}), "half_life": 1e14})
    ]
    np.testing.assert_allclose(lost[0].mean[-1], lost[1].mean[-1], rtol=0.2)


@pytest.mark.parametrize("name", ABLE)
def test_a_late_answer_counts_as_news(name: str) -> None:
    one, other = new(name, half_life=3), new(name, half_life=3)
    shown = [policy.rank() for policy in (one, other)]
    for _ in range(30):
        for policy in (one, other):
            policy.rank()
    one.update(shown[0], [shown[0].items[0]])
    other.learn(shown[1].items, shown[1].memory, [shown[1].items[0]])
    for field, value in one.statistics().items():
        np.testing.assert_array_equal(value, other.statistics()[field])


def test_a_policy_that_cannot_names_those_that_can() -> None:
    told = r"^mp-ts cannot use half_life; these can: matchrank, toprank, unirank$"
    with pytest.raises(ArgumentError, match=told):
        registry["mp-ts"](5, 2, half_life=10)


@pytest.mark.parametrize("name", ["unirank", "toprank"])
@pytest.mark.parametrize("scale", [0.0, np.inf, np.nan, 1e9])
def test_a_forged_scale_is_refused(name: str, scale: float) -> None:
    policy = new(name, half_life=10)
    with pytest.raises(ArgumentError, match=r"^scale must be one number"):
        policy.restore({**policy.statistics(), "scale": np.array([scale])})
