"""Epsilon-greedy: its twin, its schedule, its chances, its options, and what it learns."""

from typing import Any

import numpy as np
import pytest

from tests.policies.cascades import N_ROUNDS, NUMBERS, answer, clicks_of, problem
from tests.reference.click_models import ClickModel
from tests.reference.epsilon_greedy import EpsilonGreedyTwin
from unirank import PBM, ArgumentError, EpsilonGreedy, Ranking, simulate

SETTINGS: list[dict[str, Any]] = [
    {"exploration": 30.0},
    {"epsilon": 0.1},
    {"exploration": 3},
    {"epsilon": 0},
    {"exploration": 10.0**4},
]


def agree(
    policy: EpsilonGreedy, twin: EpsilonGreedyTwin, users: ClickModel, delay: int = 0
) -> None:
    """Both give the same rankings, as likely, and count the same, with answers that late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        assert shown.propensity == pytest.approx(twin.propensity(expected), rel=1e-12)
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks)
    np.testing.assert_array_equal(policy.state.shown, twin.displays)
    np.testing.assert_array_equal(policy.state.clicked, twin.clicks)


@pytest.mark.parametrize("number", NUMBERS)
def test_rankings_are_those_of_the_twin(number: int) -> None:
    n_items, n_positions, users = problem(number)
    settings = SETTINGS[number // 2]
    policy = EpsilonGreedy(n_items, n_positions, seed=number, **settings)
    agree(policy, EpsilonGreedyTwin(n_items, n_positions, seed=number, **settings), users)


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 3), (5, 5)])
def test_with_one_item_more_than_positions_and_none_more(n_items: int, n_positions: int) -> None:
    _, _, users = problem(1)
    policy = EpsilonGreedy(n_items, n_positions, seed=3, exploration=20)
    twin = EpsilonGreedyTwin(n_items, n_positions, seed=3, exploration=20)
    agree(policy, twin, type(users)([0.5, 0.5, 0.4, 0.4, 0.1]))


def test_late_answers_teach_what_prompt_ones_do() -> None:
    n_items, n_positions, users = problem(4)
    policy = EpsilonGreedy(n_items, n_positions, seed=9, exploration=50)
    agree(policy, EpsilonGreedyTwin(n_items, n_positions, seed=9, exploration=50), users, delay=23)


# Options and files.


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"exploration": 0}, "exploration must be a number > 0, got 0"),
        ({"exploration": "1"}, "exploration must be a number > 0, got '1'"),
        ({"epsilon": 1.5}, "epsilon must be in [0, 1], got 1.5"),
        ({"epsilon": float("nan")}, "epsilon must be in [0, 1], got nan"),
        (
            {"epsilon": 0.1, "exploration": 5},
            "exploration must be left out beside epsilon, got 5",
        ),
    ],
)
def test_a_wrong_option_is_named_with_its_rule_and_value(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        EpsilonGreedy(3, 2, **options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("clicked", "shown", "rounds", "told"),
    [
        ([0, 0], [0, 0], -1, "rounds must be in 0..1099511627775, got -1"),
        ([0, 0], [0, 0], 2**60, "rounds must be in 0.."),
        ([0, 0], [0, 6], 5, "rounds must be in 6..1099511627775, got 5"),
        ([0, 0], [0, -1], 5, "shown must be counts"),
        ([0, 3], [0, 2], 5, "clicked must be counts of at most shown"),
        ([-1, 0], [1, 1], 5, "clicked must be counts of at most shown"),
        ([0], [0], 5, "clicked must have shape (2,)"),
    ],
)
def test_counts_that_cannot_be_are_refused(
    clicked: list[int], shown: list[int], rounds: int, told: str
) -> None:
    counts = {"clicked": clicked, "shown": shown, "rounds": [rounds]}
    with pytest.raises(ArgumentError) as caught:
        EpsilonGreedy(2, 1).restore({name: np.array(values) for name, values in counts.items()})
    assert str(caught.value).startswith(told)


# What it is good and bad at.


def test_it_loses_far_less_than_random_order_and_a_fixed_epsilon_loses_its_share() -> None:
    users = PBM([0.9, 0.7, 0.5, 0.3, 0.1], [1.0, 0.9, 0.8])
    random, decreasing, fixed = (
        simulate(policy, users, n_positions=3, n_rounds=10**5, n_games=10).mean[-1]
        for policy in ("random", "epsilon-greedy", ("epsilon-greedy", {"epsilon": 0.1}))
    )
    assert decreasing < random / 50
    assert random / 12 < fixed < random / 8
