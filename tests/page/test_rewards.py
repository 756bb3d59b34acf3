"""Graded feedback is rounded to clicks: as likely as it is large, and the same way again."""

from math import nan
from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, UniRank
from unirank.arguments import shown
from unirank.page.rewards import checked_rewards, rounded


def test_a_reward_counts_as_a_click_as_often_as_it_is_large() -> None:
    n_rounds = 20_000
    for reward in (0.1, 0.5, 0.73):
        n_clicks = sum(bool(rounded({4: reward}, 1, number)) for number in range(1, n_rounds + 1))
        assert abs(n_clicks / n_rounds - reward) < 5 * 0.5 / n_rounds**0.5


def test_items_of_a_round_are_rounded_independently() -> None:
    both = [set(rounded({1: 0.5, 2: 0.5}, 1, number)) for number in range(1, 20_001)]
    assert abs(sum(len(clicked) == 2 for clicked in both) / 20_000 - 0.25) < 5 * 0.5 / 20_000**0.5


def test_nothing_and_all_are_certain() -> None:
    assert {tuple(rounded({1: 0.0, 2: 1.0}, seed, 5)) for seed in range(500)} == {(2,)}


def test_a_round_is_rounded_the_same_way_again() -> None:
    policies = [UniRank(6, 3, seed=7) for _ in range(2)]
    for _ in range(100):
        for policy in policies:
            shown = policy.rank()
            policy.update(shown, rewards={shown[0]: 0.5, shown[2]: 0.2})
    np.testing.assert_array_equal(policies[0].state.wins, policies[1].state.wins)


def test_rewards_of_one_are_clicks() -> None:
    one, two = UniRank(6, 3, seed=7), UniRank(6, 3, seed=7)
    for _ in range(100):
        first, second = one.rank(), two.rank()
        one.update(first, [first[1]])
        two.update(second.token, rewards={second[1]: 1, second[0]: 0})
    np.testing.assert_array_equal(one.state.wins, two.state.wins)


SCALE = "divide by the largest reward there can be, and cut what exceeds it"


@pytest.mark.parametrize(
    "reward", [-0.1, 1.1, 20, nan, float("inf"), True, "1", None, [1], int, 10**400]
)
def test_a_reward_that_is_none_is_answered_with_the_scale(reward: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked_rewards({"mug": reward})
    assert str(caught.value) == f"rewards must be in [0, 1]: {SCALE}; got {shown(reward)} for 'mug'"


def told(policy: UniRank, **answer: Any) -> str:
    before = policy.to_saved()
    with pytest.raises(ArgumentError) as caught:
        policy.update(1, **answer)
    assert policy.to_saved() == before
    return str(caught.value)


def test_wrong_answers_change_nothing() -> None:
    policy = UniRank(["tea", "mug", "pot"], 2, seed=1)
    shown = policy.rank()
    other = next(iter({"tea", "mug", "pot"} - set(shown)))
    assert told(policy, clicks=[], rewards={}) == "update must be given clicks or rewards, got both"
    assert told(policy, clicks={"tea": 0.0}) == (
        "clicks must be a list of item ids, got {'tea': 0.0}: give graded feedback as rewards="
    )
    assert told(policy, rewards=["tea"]) == (
        "rewards must be a dict of item ids and numbers, got ['tea']"
    )
    assert told(policy, rewards={other: 0.5}).startswith("rewards must be among the shown")
    assert told(policy) == "clicks must be a list of item ids, got None"
