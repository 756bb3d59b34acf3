"""PBM-PIE: which items it explores, how often, and that it learns."""

from collections import Counter
from math import log
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.counted import with_counts
from tests.policies.situations import SIGNIFICANCE, Items, p_value
from unirank import PBM, simulate
from unirank.policies import PBMPIE
from unirank.policies.pbm_pie.paper import bound, divergence, most_likely
from unirank.policies.pbm_pie.policy import could_reach, find_challengers
from unirank.policies.plain.indices import kl_ucb

LOOKS = [1.0, 0.5]
SURE = [[80, 40], [60, 30], [1, 0], [1, 0]], [[100, 100]] * 4  # nobody else could lead
ONE_COULD = [[80, 40], [60, 30], [1, 0], [1, 0]], [[100, 100]] * 2 + [[4, 0], [100, 100]]
# Means 0.9, then three times 0.5, where each of the three could lead; the last is far behind.
TIED = (
    [[90, 45], [50, 25], [5, 0], [50, 25], [0, 0]],
    [[100, 100]] * 2 + [[10, 0]] + [[100, 100]] * 2,
)


def counted(clicked: Any, shown: Any, *, rounds: int, **options: Any) -> Any:
    n_positions = len(options["examination"])
    return with_counts(PBMPIE, n_positions, options, clicked=clicked, shown=shown, rounds=[rounds])


@pytest.mark.parametrize(
    ("options", "budget"),
    [
        ({}, log(50)),
        ({"exploration": 0.5}, 1.5 * log(50)),
        ({"horizon": 10**6}, log(10**6)),
        ({"horizon": 10**6, "exploration": 0.5}, 1.5 * log(10**6)),
        ({"horizon": 1}, 0.0),
    ],
)
def test_the_budget(options: dict[str, Any], budget: float) -> None:
    policy = counted([[1], [0]], [[9], [9]], rounds=50, examination=[1], **options)
    policy.rank()
    assert policy.state.now["budget"][0] == pytest.approx(budget, rel=1e-15)


def test_if_nobody_could_lead_the_leaders_are_certain() -> None:
    policy = counted(*SURE, rounds=400, examination=LOOKS)
    for _ in range(50):
        shown = policy.rank()
        assert (shown.items, shown.propensity) == ((0, 1), 1.0)


def test_the_only_one_who_could_lead_is_last_in_half_of_the_rounds() -> None:
    policy = counted(*ONE_COULD, rounds=400, examination=LOOKS, horizon=400)
    seen = Counter[Items]()
    for _ in range(4000):
        shown = policy.rank()
        assert shown.propensity == 0.5
        seen[shown.items] += 1
    assert seen.keys() == {(0, 1), (0, 2)}
    assert stats.binomtest(seen[0, 2], 4000, 0.5).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("counts", [ONE_COULD, TIED, ([[0, 0]] * 4, [[3, 3]] * 4)])
def test_propensities_are_those_of_what_is_shown(counts: Any) -> None:
    seen = Counter[Items]()
    chances: dict[Items, float] = {}
    for seed in range(3000):
        policy = counted(*counts, rounds=400, examination=LOOKS, seed=seed)
        shown = policy.rank()
        assert shown.propensity == pytest.approx(chances.setdefault(shown.items, shown.propensity))
        seen[shown.items] += 1
    assert sum(chances.values()) == pytest.approx(1, rel=1e-12)
    assert p_value(seen, chances) > SIGNIFICANCE


def test_a_tie_whose_bounds_differ_has_exact_propensities() -> None:
    # By hand, with budget 0: both items have the mean 0.5, but only item 0 the bound 0.5, since
    # item 1 was clicked at one position only. So item 0 leads half of the time, and nobody
    # challenges; item 1 does the other half, where item 0 is shown in half of the rounds.
    clicked, shown = [[9, 9], [5, 5], [0, 10]], [[10, 10], [10, 10], [10, 10]]
    chances: dict[Items, float] = {}
    for seed in range(60):
        policy = counted(clicked, shown, rounds=40, examination=[1, 1], horizon=1, seed=seed)
        given = policy.rank()
        chances[given.items] = given.propensity
    assert chances == {(0, 1): 0.5, (0, 2): 0.5}


def test_only_the_last_position_explores() -> None:
    n_items, looks = 8, [0.9, 0.7, 0.5, 0.2]
    policy = PBMPIE(n_items, len(looks), examination=looks, seed=3)
    explored = 0
    for round_ in range(1, 1001):
        shown = policy.rank()
        if round_ > n_items:
            leaders = sorted(range(n_items), key=lambda i: -policy.state.means[i])[: len(looks)]
            means = [policy.state.means[i] for i in shown.items]
            assert means[:-1] == [policy.state.means[i] for i in leaders[:-1]]
            explored += means[-1] != policy.state.means[leaders[-1]]
        policy.update(shown, [i for i in shown.items if (7 * round_ + int(i)) % (3 + int(i)) == 0])
    assert 0 < explored < 600


def test_an_item_without_an_answer_is_explored() -> None:
    policy = counted([[9], [0]], [[10], [0]], rounds=10, examination=[1])
    assert {policy.rank().items for _ in range(30)} == {(0,), (1,)}
    assert policy.state.means.tolist() == [0.9, 0.0]


def test_a_mean_above_one_is_out_of_reach() -> None:
    policy = counted([[9], [0]], [[10], [0]], rounds=10, examination=[0.5])
    assert {policy.rank().items for _ in range(30)} == {(0,)}


# The bounds.

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
def test_challengers_are_the_others_whose_bound_is_not_below_the_last_leader(number: int) -> None:
    policy, clicked, shown, looks = situation(number)
    state, draw = policy.state, Random(number)
    for _ in range(40):
        last, d = draw.randrange(6), draw.choice([0.1, 3.0, 14.0])
        leaders = [*[i for i in range(6) if i != last][: len(looks) - 1], last]
        state.leaders[:], state.means[last], state.now["budget"] = leaders, draw.random(), d
        find_challengers(state)
        for item in range(6):
            reach = bound(tuple(clicked[item]), tuple(shown[item]), tuple(looks), d)
            if abs(reach - state.means[last]) > 1e-9:
                assert state.challenges[item] == (item not in leaders and reach > state.means[last])
        assert state.now["n_challengers"][0] == state.challenges.sum()


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


# At work.


def test_it_learns_with_far_less_exploration_than_pbm_ucb() -> None:
    users, n_positions = PROBLEMS["simul-pbm"]
    assert isinstance(users, PBM)
    told = {"examination": list(users.settings["examination"])}
    pie, ucb, floor = (
        simulate(spec, users, n_positions=n_positions, n_rounds=10**5, n_games=4).mean[-1]
        for spec in (("pbm-pie", told), ("pbm-ucb", told), "random")
    )
    assert pie < ucb / 4
    assert pie < floor / 50
