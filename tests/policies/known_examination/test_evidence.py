"""The test of PBM-PIE against bounds that are solved for."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.pbm_pie.test_policy import counted
from unirank.policies.known_examination.evidence import could_reach, find_challengers
from unirank.policies.pbm_pie.paper import bound, divergence, most_likely
from unirank.policies.plain.indices import kl_ucb

ROUNDS = 10**6


def counts(draw: Random, n_positions: int, rate: float) -> tuple[list[int], list[int]]:
    """Clicks and displays of an item; now and then such as no attraction would explain."""
    shown = [draw.choice([0, 1, 5, 100, 3000]) for _ in range(n_positions)]
    rates = [rate if draw.random() < 0.8 else draw.random() for _ in shown]
    clicked = [sum(draw.random() < r for _ in range(n)) for n, r in zip(shown, rates, strict=True)]
    return clicked, shown


def situation(number: int) -> tuple[Any, list[list[int]], list[list[int]], list[float]]:
    """A policy with one leader, item 0, and five items whose counts are random."""
    draw = Random(number)
    n_positions = draw.randint(1, 4)
    looks = sorted((draw.uniform(0.2, 1) for _ in range(n_positions)), reverse=True)
    if number % 3 == 0:
        looks[0] = 1.0
    rows = [counts(draw, n_positions, draw.choice([0, 0.01, 0.3, 0.8, 1])) for _ in range(6)]
    clicked, shown = [row[0] for row in rows], [row[1] for row in rows]
    policy = counted(clicked, shown, rounds=ROUNDS, examination=looks)
    return policy, clicked, shown, looks


@pytest.mark.parametrize("number", range(20))
def test_it_is_the_comparison_with_the_bound(number: int) -> None:
    policy, clicked, shown, looks = situation(number)
    draw = Random(number)
    for _ in range(30):
        item, d = draw.randrange(6), draw.choice([0.0, 0.5, 3.0, 14.0, 200.0])
        policy.state.now["budget"] = d
        reach = bound(tuple(clicked[item]), tuple(shown[item]), tuple(looks), d)
        best = most_likely(tuple(clicked[item]), tuple(shown[item]), tuple(looks))
        for x in (reach - 1e-7, best - 1e-7, best / 2):
            assert x <= 0 or could_reach(policy.state, item, x), (item, d, x)
        # Without a budget the evidence is flat: 1e-4 is more than rounding errors, 1e-7 is not.
        for x in (reach + (1e-7 if d > 0 else 1e-4), 0.5 * reach + 0.5):
            if 1e-8 + reach < x <= 1:
                assert not could_reach(policy.state, item, x), (item, d, x)


@pytest.mark.parametrize("number", range(20))
def test_what_is_skipped_is_what_would_have_failed(number: int) -> None:
    # A walk of x and of the budget, up and down, over items whose counts now and then change.
    policy, clicked, shown, looks = situation(number)
    state, draw = policy.state, Random(number)
    n_positions = len(looks)
    x = 0.5
    for _ in range(400):
        x = min(max(x * draw.uniform(0.9, 1.11), 1e-3), 1.0)
        d = draw.choice([0.1, 3.0, 14.0])
        state.now["budget"] = d
        outside = state.order[n_positions:].tolist()
        find_challengers(state, x)
        for item in range(6):
            reach = bound(tuple(clicked[item]), tuple(shown[item]), tuple(looks), d)
            if abs(reach - x) > 1e-9:
                assert state.challenges[item] == (item in outside and reach > x)
        assert state.now["n_challengers"][0] == state.challenges.sum()
        if draw.random() < 0.05:
            item, k = draw.randrange(6), draw.randrange(n_positions)
            shown[item][k] += 1
            clicked[item][k] += draw.random() < 0.5
            policy = counted(clicked, shown, rounds=ROUNDS, examination=looks)
            state = policy.state


def test_an_item_that_failed_is_not_asked_again_above() -> None:
    counts = [[50], [5], [0]], [[100], [100], [10]]
    policy = counted(*counts, rounds=100, examination=[0.9])
    state = policy.state
    state.now["budget"] = 5.0
    find_challengers(state, 0.5)
    assert state.challenges.tolist() == [False, False, False]
    state.peak[1:] = -1e9  # either would challenge, if it was asked
    for x in (0.5, 0.6, 0.95):
        find_challengers(state, x)
        assert state.challenges.tolist() == [False, False, False]
    find_challengers(state, 0.45)
    assert state.challenges.tolist() == [False, True, True]


def test_where_every_position_is_looked_at_the_bound_is_that_of_the_pooled_clicks() -> None:
    policy = counted([[3, 6], [9, 9]], [[10, 20], [10, 10]], rounds=1000, examination=[1, 1])
    policy.state.now["budget"] = 2.5
    reach = kl_ucb(9 / 30, 30, 2.5)
    assert reach == pytest.approx(bound((3, 6), (10, 20), (1.0, 1.0), 2.5), abs=1e-12)
    assert could_reach(policy.state, 0, reach - 1e-9)
    assert not could_reach(policy.state, 0, reach + 1e-9)


def test_clicks_that_no_attraction_explains_leave_the_most_likely_one() -> None:
    clicked, shown, looks = (0, 50), (50, 50), (1.0, 1.0)
    best = most_likely(clicked, shown, looks)
    assert best == pytest.approx(0.5)
    assert divergence(best, clicked, shown, looks) > 30
    policy = counted([clicked] * 3, [shown] * 3, rounds=1000, examination=list(looks))
    policy.state.now["budget"] = 30.0
    assert could_reach(policy.state, 0, 0.5)
    assert could_reach(policy.state, 0, 0.3)
    assert not could_reach(policy.state, 0, 0.5 + 1e-9)
    # After it has failed at 0.9, it is still found at 0.5.
    found = []
    for x in (0.9, 0.9, 0.5, 0.4, 0.7):
        find_challengers(policy.state, x)
        found.append(bool(policy.state.challenges[2]))
    assert found == [False, False, True, True, False]


@pytest.mark.parametrize(("x", "expected"), [(0.0, True), (1.0, False), (1.0 + 1e-9, False)])
def test_the_ends_of_the_range(x: float, expected: bool) -> None:
    policy = counted([[1], [1]], [[2], [2]], rounds=1000, examination=[1])
    policy.state.now["budget"] = 1e6
    assert could_reach(policy.state, 0, x) == expected


@pytest.mark.parametrize("shown", [0, 7])
def test_an_item_that_was_never_refused_reaches_one_and_no_more(shown: int) -> None:
    policy = counted([[shown], [1]], [[shown], [2]], rounds=1000, examination=[1])
    np.testing.assert_array_equal(
        [could_reach(policy.state, 0, x) for x in (0.5, 1.0, 1.5)], [True, True, False]
    )
