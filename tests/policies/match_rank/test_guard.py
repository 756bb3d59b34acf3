"""The guard: tests of neighbours by hand, and how they overrule the model."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from unirank import CM, PBM, ClickModel, MatchRank
from unirank.policies.kernels.randomness import POLICY, address
from unirank.policies.match_rank import guard
from unirank.policies.match_rank.state import State


def fresh(n_items: int = 4, n_positions: int = 3, doubt: float = 0.01) -> State:
    state: State = MatchRank(n_items, n_positions).state
    state.now["doubt"] = doubt
    state.now["rounds"] = 1
    return state


def answered(
    state: State, ranking: list[int], clicked: list[int], slot: int, weight: float, other: int = 0
) -> None:
    """Learn from a round whose test was of this slot."""
    state.now["slot"], state.now["weight"], state.now["other"] = slot, weight, other
    guard.learn(state, np.array(ranking), np.array([item in clicked for item in ranking]))


def test_the_doubt_falls_like_one_over_the_root_of_the_rounds() -> None:
    assert guard.doubt_after(0) == pytest.approx(1 / np.sqrt(1000))
    assert guard.doubt_after(999_000) == pytest.approx(0.001)


def test_a_click_counts_with_the_chance_of_the_other_order() -> None:
    state = fresh()
    answered(state, [0, 1, 2], [0], slot=1, weight=0.1)
    answered(state, [1, 0, 2], [1, 2], slot=1, weight=0.9)
    assert state.gain[0, 1] == pytest.approx(0.1 - 0.9)
    assert state.gain[1, 0] == pytest.approx(0.9 - 0.1)
    assert state.spread[0, 1] == state.spread[1, 0] == pytest.approx(0.05 + 0.45)


def test_clicks_on_both_or_on_neither_say_nothing() -> None:
    state = fresh()
    answered(state, [0, 1, 2], [0, 1], slot=1, weight=0.1)
    answered(state, [0, 1, 2], [2], slot=1, weight=0.1)
    assert not state.gain.any()
    assert not state.spread.any()


def test_the_last_item_is_tested_against_one_that_is_not_shown() -> None:
    state = fresh()
    answered(state, [0, 1, 2], [0, 2], slot=3, weight=0.2, other=3)
    answered(state, [0, 1, 3], [3], slot=3, weight=0.8, other=2)
    assert state.gain[2, 3] == pytest.approx(0.2 - 0.8)


def test_odds_are_the_tails_of_z() -> None:
    state = fresh()
    state.gain[0, 1], state.gain[1, 0] = 3.0, -3.0
    state.spread[0, 1] = state.spread[1, 0] = 2.0
    guard.weigh(state, 0, 1)
    z = 3.0 / np.sqrt(2.5)
    assert state.odds[0, 1] == pytest.approx(stats.norm.sf(z) / stats.norm.cdf(z), rel=1e-12)
    assert state.odds[1, 0] == pytest.approx(1 / state.odds[0, 1], rel=1e-12)


@pytest.mark.parametrize(("odds", "shown"), [(9_999.0, [0, 1, 2]), (10_001.0, [1, 0, 2])])
def test_odds_above_one_over_the_squared_doubt_overrule_the_model(
    odds: float, shown: list[int]
) -> None:
    state = fresh()
    state.odds[0, 1], state.odds[1, 0] = odds, 1 / odds
    ranking = np.array([0, 1, 2])
    guard.overrule(state, ranking)
    assert ranking.tolist() == shown


def test_late_tests_keep_a_least_doubt_and_the_threshold_that_overrules_does_not() -> None:
    """With e = 1/1000: a pair is tested as with e = 1/250, and overruled at odds of 10^6."""
    state = fresh(doubt=0.001)._replace(least_doubt=1 / 250)
    state.odds[0, 1] = 2.0
    assert guard.swap_chance(state, 0, 1) == pytest.approx(3 * 2 / 250)
    assert guard.swap_chance(state._replace(least_doubt=0.0), 0, 1) == pytest.approx(3 * 2 / 1000)
    early = fresh(doubt=0.01)._replace(least_doubt=1 / 250)
    assert guard.swap_chance(early, 1, 2) == pytest.approx(3 / 100)
    state.odds[0, 1] = 999_999.0
    assert not guard.overrules(state, 0, 1)
    state.odds[0, 1] = 1_000_001.0
    assert guard.overrules(state, 0, 1)


def test_an_item_that_is_not_shown_takes_the_last_place_and_climbs() -> None:
    state = fresh()
    state.odds[2, 3] = state.odds[1, 3] = 1e9
    ranking = np.array([0, 1, 2])
    guard.overrule(state, ranking)
    assert ranking.tolist() == [0, 3, 1]


def shown_under_test(state: State, ranking: list[int], n_rounds: int) -> list[tuple[int, ...]]:
    lists = []
    for round_ in range(1, n_rounds + 1):
        state.now["rounds"] = round_
        shown = np.array(ranking)
        guard.overrule(state, shown)
        guard.test(state, address(4, 0, POLICY, round_), shown)
        lists.append(tuple(shown.tolist()))
    return lists


def test_each_pair_is_swapped_with_chance_doubt_times_odds() -> None:
    """The two items outside share the chance of one pair."""
    state = fresh(n_items=5, doubt=0.02)
    state.odds[0, 1] = 3.0
    n_rounds = 60_000
    lists = shown_under_test(state, [0, 1, 2], n_rounds)
    expected = {(1, 0, 2): 0.06, (0, 2, 1): 0.02, (0, 1, 3): 0.01, (0, 1, 4): 0.01}
    for ranking, chance in expected.items():
        assert stats.binomtest(lists.count(ranking), n_rounds, chance).pvalue > 1e-4, ranking
    assert lists.count((0, 1, 2)) + sum(map(lists.count, expected)) == n_rounds


def test_no_pair_is_swapped_more_often_than_shown_straight() -> None:
    state = fresh(n_items=2, n_positions=2)
    state.odds[0, 1] = 5000.0
    swapped = shown_under_test(state, [0, 1], 10_000).count((1, 0))
    assert stats.binomtest(swapped, 10_000, 0.5).pvalue > 1e-4


@pytest.mark.parametrize(
    "users",
    [
        PBM(attraction=[0.5, 0.6, 0.3, 0.2], examination=[1.0, 0.2, 0.1]),
        CM(attraction=[0.5, 0.6, 0.3, 0.2]),
    ],
    ids=["pbm", "cm"],
)
def test_the_gain_has_the_mean_that_the_theorem_gives(users: ClickModel) -> None:
    """The mean is the sum of g (1 - g) times the symmetrised difference; margin 4 deviations."""
    state = fresh(doubt=0.05)
    n_rounds, gains = 40_000, []
    for round_ in range(1, n_rounds + 1):
        state.now["rounds"] = round_
        ranking = np.array([0, 1, 2])
        guard.overrule(state, ranking)
        guard.test(state, address(5, 0, POLICY, round_), ranking)
        clicks = users.draw_clicks(ranking.tolist(), seed=6, round=round_)
        guard.learn(state, ranking, clicks)
        gains.append(state.gain[0, 1])
        state.odds[...] = 1.0  # g stays what it is
    straight, swapped = users.expected_clicks([0, 1, 2]), users.expected_clicks([1, 0, 2])
    g = 0.05 * 3
    mean = g * (1 - g) / 3 * (straight[0] - straight[1] - swapped[0] + swapped[1])
    assert mean < 0  # item 1 is better, though item 0 gets more clicks where it stands
    steps = np.diff([0.0, *gains])
    assert abs(steps.mean() - mean) < 4 * steps.std() / np.sqrt(n_rounds)
    assert abs(steps.mean()) > 4 * steps.std() / np.sqrt(n_rounds)


@pytest.mark.parametrize("seed", range(20))
def test_no_item_is_overruled_by_the_next_or_by_one_outside(seed: int) -> None:
    """Tests that agree with one order of the items, about some of the pairs."""
    draw = np.random.default_rng(seed)
    state = fresh(n_items=8, n_positions=4)
    for better, worse in np.argwhere(np.triu(draw.random((8, 8)) < 0.6, k=1)).tolist():
        state.odds[worse, better], state.odds[better, worse] = 1e9, 1e-9
    ranking = draw.permutation(8)[:4]
    guard.overrule(state, ranking)
    shown = ranking.tolist()
    assert sorted(set(shown)) == sorted(shown)
    assert not any(guard.overrules(state, *pair) for pair in pairwise(shown))
    outside = set(range(8)) - set(shown)
    assert not any(guard.overrules(state, shown[-1], item) for item in outside)


def test_tests_that_contradict_each_other_in_a_circle_come_to_an_end() -> None:
    state = fresh(n_items=4, n_positions=1)
    for last, item in ((0, 1), (1, 2), (2, 3), (3, 0)):
        state.odds[last, item], state.odds[item, last] = 1e9, 1e-9
    ranking = np.array([0])
    guard.overrule(state, ranking)
    assert ranking[0] in range(4)
