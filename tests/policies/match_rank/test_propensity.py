"""Propensities: true of what is shown, exact where they can be, and read without effect."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.policies.match_rank.situations import ITEMS, USERS, play, played, put_test, sized
from unirank import ArgumentError, MatchRank, load, simulate
from unirank.lab.checks import check_policy
from unirank.policies.match_rank.draws import list_chance, lists_again


def frozen(policy: MatchRank, doubt: float = 0.05) -> MatchRank:
    """The policy, with a model that is not refreshed and many tests."""
    for due in ("next_refresh", "next_answers"):
        policy.state.now[due] = 10**9
    policy.state.now["doubt"] = doubt
    return policy


def certain(n_items: int, n_positions: int, **options: Any) -> MatchRank:
    """A policy whose model is sure of 0 > 1 > 2 ..., and which tests."""
    policy = frozen(MatchRank(n_items, n_positions, seed=3, **options))
    policy.state.log_attraction[...] = -1.0 - np.arange(n_items)
    policy.state.deviation[...] = 1e-9
    return policy


@pytest.mark.parametrize("size", [(5, 3), (3, 3), (4, 1), (2, 2), (1, 1)])
def test_each_position_shows_one_item(size: tuple[int, int]) -> None:
    for n_rounds in (0, 50):
        chances = sized(*size, n_rounds).propensities(n_draws=50)
        assert chances.shape == size
        assert chances.min() >= 0
        np.testing.assert_allclose(chances.sum(axis=0), 1.0)
        assert chances.sum(axis=1).max() < 1 + 1e-12


def test_they_are_the_shares_of_what_is_shown() -> None:
    """20,000 rounds of the same state; margin 4.5 standard deviations of both."""
    policy = frozen(sized(5, 3, 40))
    n_rounds = 20_000
    told = policy.propensities(n_draws=n_rounds)
    counts = np.zeros_like(told)
    for _ in range(n_rounds):
        counts[np.array(policy.rank().items), np.arange(3)] += 1
    margin = 4.5 * np.sqrt(2 * told * (1 - told) / n_rounds)
    assert (abs(counts / n_rounds - told) < margin + 1e-3).all()
    assert (told > 0.01).sum() > 8


def test_the_chances_of_tests_are_exact() -> None:
    policy = certain(4, 2)  # two slots; the two items outside share the chance of one
    expected = np.zeros((4, 2))
    expected[0] = [1 - 0.05, 0.05]
    expected[1] = [0.05, 1 - 0.05 - 0.05]
    expected[2:, 1] = 0.025
    np.testing.assert_allclose(policy.propensities(n_draws=1), expected, atol=1e-12)


def test_columns_are_places_of_the_page() -> None:
    policy = MatchRank(5, 3, seed=1, position_order=[2, 0, 1])
    policy.state.log_attraction[...] = -1.0 - 0.5 * np.arange(5)
    policy.state.deviation[...] = 0.5
    chances = frozen(policy).propensities(n_draws=20_000)
    shown = np.array([policy.rank().items for _ in range(20_000)], np.int64)
    for place in range(3):
        share = np.bincount(shown[:, place], minlength=5) / 20_000
        np.testing.assert_allclose(chances[:, place], share, atol=0.02)
    assert certain(3, 2, position_order=[1, 0]).propensities()[0].argmax() == 1


def test_the_stated_error_holds() -> None:
    """200 seeds of 100 draws: the deviation of each chance is at most the one stated, plus 20 %."""
    policy = played(60)
    found = []
    for seed in range(200):
        policy.seed = seed
        found.append(policy.propensities(n_draws=100))
    p = np.mean(found, axis=0)
    assert (np.std(found, axis=0) <= 1.2 * np.sqrt(p * (1 - p) / 100) + 1e-9).all()


def test_looking_changes_nothing_and_is_reproducible() -> None:
    one, two = played(100), played(100)
    np.testing.assert_array_equal(one.propensities(50), one.propensities(50))
    play(one, 50)
    for _ in range(50):
        two.propensities(n_draws=3)
        play(two, 1)
    for name in ("gain", "spread", "shown", "clicked"):
        np.testing.assert_array_equal(getattr(one.state, name), getattr(two.state, name))
    with pytest.raises(ArgumentError, match=r"^n_draws must be in 1..1000000, got 0$"):
        one.propensities(n_draws=0)


def test_by_default_the_propensity_of_a_list_is_unknown() -> None:
    shown = MatchRank(4, 2).rank()
    assert np.isnan([shown.propensity, shown.propensity_error]).all()
    with pytest.raises(ArgumentError, match="unknown propensity 'exact'; one of: estimate, none"):
        MatchRank(4, 2, propensity="exact")


def test_where_the_model_is_sure_the_estimate_is_exact() -> None:
    policy = certain(4, 2, propensity="estimate")
    put_test(policy, 0, 1, gain=0.0, spread=0.0)
    expected = {(0, 1): 1 - 0.05 - 0.05, (1, 0): 0.05, (0, 2): 0.025, (0, 3): 0.025}
    seen = {shown.items: shown.propensity for shown in (policy.rank() for _ in range(200))}
    assert seen == pytest.approx(expected)
    assert policy.rank().propensity_error < 1e-12
    only = MatchRank(1, 1, propensity="estimate").rank()
    assert (only.propensity, only.propensity_error) == (1.0, 0.0)


def test_estimates_are_the_shares_of_lists() -> None:
    policy = frozen(MatchRank(3, 2, seed=5, propensity="estimate"))
    rounds = [policy.rank() for _ in range(3000)]
    counts = Counter(shown.items for shown in rounds)
    assert len(counts) == 6
    for items, n in counts.items():
        told = np.mean([shown.propensity for shown in rounds if shown.items == items])
        assert abs(n / 3000 - told) < 4.5 * np.sqrt(told * (1 - told) / 3000) + 0.001


def test_weights_of_one_over_the_estimate_are_unbiased(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 20 draws, too, the mean of 1 / P is the number of lists, 6; margin 4 standard errors."""
    monkeypatch.setattr("unirank.policies.match_rank.policy.ESTIMATE_DRAWS", 20)
    policy = frozen(MatchRank(3, 2, seed=8, propensity="estimate"), doubt=0.01)
    policy.state.log_attraction[...] = [-1.0, -1.1, -1.2]
    policy.state.deviation[...] = 0.5
    weights = np.array([1 / policy.rank().propensity for _ in range(10_000)])
    assert abs(weights.mean() - 6) < 4 * weights.std() / 100
    assert weights.std() > 2


def lists_of_five(n_rounds: int) -> MatchRank:
    """A page of 10 items and 5 positions, after these rounds, whose next rounds are all alike."""
    policy = MatchRank(10, 5, seed=4, propensity="estimate")
    learner = sized(10, 5, n_rounds)
    policy.restore(learner.statistics())
    policy.state = policy.next_state()
    return frozen(policy, doubt=float(policy.state.now["doubt"][0]))


def test_the_error_is_that_of_the_estimate_where_lists_are_rare() -> None:
    """Nothing is known: each of 30,240 lists is as likely, and the estimates are 1 / 1,001."""
    policy = lists_of_five(0)
    shown = [policy.rank() for _ in range(300)]
    estimates = np.array([one.propensity for one in shown])
    told = np.array([one.propensity_error for one in shown])
    squared = (estimates - 1 / 30_240) ** 2
    assert np.mean(told**2) == pytest.approx(np.mean(squared), rel=0.15)
    assert np.median(told / estimates) > 0.9


def test_the_error_is_that_of_the_estimate_whatever_lists_are_shown() -> None:
    """The truth of each list comes from 200,000 other draws. Margins: about 4 standard errors."""
    policy = lists_of_five(300)
    lists = lists_again(policy.next_state(), 99, 10**6, 200_000)
    shown = [policy.rank() for _ in range(2000)]
    truth_of = {
        items: list_chance(policy.next_state(), lists, np.array(items))[0]
        for items in {one.items for one in shown}
    }
    truth = np.array([truth_of[one.items] for one in shown])
    told = np.array([one.propensity_error for one in shown])
    squared = (np.array([one.propensity for one in shown]) - truth) ** 2
    assert np.mean(told**2) == pytest.approx(np.mean(squared), rel=0.15)
    rare = truth < 0.001
    assert 50 < rare.sum() < 500
    assert np.mean(told[rare] ** 2) == pytest.approx(np.mean(squared[rare]), rel=0.4)


def test_an_estimate_changes_no_ranking() -> None:
    policy = play(MatchRank(ITEMS, 2, seed=7, propensity="estimate"), 150)
    same = played(150)
    for name in ("gain", "spread", "shown", "clicked", "log_attraction"):
        np.testing.assert_array_equal(getattr(policy.state, name), getattr(same.state, name))
    assert policy.rank().items == same.rank().items


def test_a_list_with_an_estimate_has_a_token() -> None:
    policy = MatchRank(ITEMS, 2, seed=7, propensity="estimate")
    shown = policy.rank()
    policy.update(shown.token, clicks=shown.items[:1])
    assert policy.state.clicked.sum() == 1


def test_a_loaded_policy_goes_on_estimating(tmp_path: object) -> None:
    policy = play(MatchRank(ITEMS, 2, seed=7, propensity="estimate"), 20)
    path = f"{tmp_path}/state"
    policy.save(path)
    loaded = load(path)
    assert [loaded.rank() for _ in range(5)] == [policy.rank() for _ in range(5)]


def test_the_contract_holds_with_estimates() -> None:
    check_policy(MatchRank, propensity="estimate")


def test_a_list_with_an_estimate_has_its_token() -> None:
    policy = MatchRank(5, 2, seed=1, propensity="estimate")
    policy.update(policy.rank().token, [])
    assert policy.state.shown.sum() == 2


def test_simulations_are_the_same_with_the_option() -> None:
    scale = {"n_positions": 2, "n_rounds": 500, "n_games": 2}
    with_it, without = (
        simulate(("matchrank", {"propensity": which}), USERS, **scale).regret  # type: ignore[arg-type]
        for which in ("estimate", "none")
    )
    np.testing.assert_array_equal(with_it, without)
