"""MatchRank's counts and sums fade."""

from math import log

import numpy as np
import pytest

from unirank import MatchRank
from unirank.policies.match_rank.forgetting import fade, remembered


@pytest.mark.parametrize("rounds", [0, 1, 7, 10**6])
def test_without_a_half_life_all_rounds_are_remembered(rounds: int) -> None:
    assert remembered(rounds, np.inf) == rounds


def test_remembered_rounds_are_few_at_first_and_never_more_than_the_memory() -> None:
    assert remembered(10, 1e9) == pytest.approx(10.0, rel=1e-6)
    assert remembered(10**9, 100.0) == pytest.approx(100 / log(2))
    each = [0.5 ** (age / 5000) for age in range(3000)]
    assert remembered(3000, 5000.0) == pytest.approx(sum(each), rel=1e-3)


def learnt(half_life: float | None) -> MatchRank:
    policy = MatchRank(5, 2, seed=1, half_life=half_life)
    for _ in range(40):
        shown = policy.rank()
        policy.update(shown, [i for i in shown if i in (1, 3)])
    return policy


def test_counts_and_sums_are_halved_after_a_half_life() -> None:
    policy = learnt(1e6)
    before = {n: getattr(policy.state, n).copy() for n in ("clicked", "shown", "gain", "spread")}
    policy.state.now["rounds"] += 10**6 - policy.state.now["aged"]
    fade(policy.state)
    for name, table in before.items():
        np.testing.assert_allclose(getattr(policy.state, name), table / 2, rtol=1e-3)
    odds = policy.state.odds.copy()
    policy.restore(policy.statistics())  # odds follow from the sums
    np.testing.assert_allclose(policy.state.odds, odds)


def test_they_fade_in_steps_of_a_hundredth() -> None:
    policy = learnt(1e6)
    shown = policy.state.shown.copy()
    policy.state.now["rounds"] += 9000
    fade(policy.state)
    np.testing.assert_array_equal(policy.state.shown, shown)


def test_looking_does_not_let_anything_fade() -> None:
    policy = learnt(5)
    for _ in range(20):
        policy.rank()  # a refresh is due
    before = policy.to_saved()
    assert policy.leader
    assert policy.explain()
    assert policy.to_saved() == before


def test_without_a_half_life_counts_are_integers() -> None:
    policy = learnt(None)
    policy.state.now["rounds"] += 10**9
    shown = policy.state.shown.copy()
    fade(policy.state)
    np.testing.assert_array_equal(policy.state.shown, shown)
    assert shown.dtype == np.int64
