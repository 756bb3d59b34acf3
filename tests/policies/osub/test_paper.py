"""OSUB on rankings: the cases of its specification, and what it learns."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from unirank import PBM, ArgumentError, load, policies, simulate

OSUB: Any = policies.OSUB  # whose rank() on a page differs from that of the algorithm


def knowing(policy: Any, **known: dict[tuple[int, ...], int]) -> Any:
    """The policy with these counts of lists."""
    for name, counts in known.items():
        setattr(policy, name, counts)
    for one, plays in policy.plays.items():
        policy.means[one] = policy.clicks[one] / (policy.n_positions * plays) if plays else 0.0
    return policy


def test_a_list_that_nobody_answers_stays_the_first_to_try() -> None:
    fresh = OSUB(3, 1, seed=1)
    knowing(
        fresh,
        clicks={(0,): 1, (1,): 0},
        plays={(0,): 2, (1,): 0},
        leads={(0,): 1, (1,): 7},
    )
    assert {fresh.rank().items for _ in range(20)} == {(0,), (1,), (2,)}
    assert fresh.plays == {(0,): 2, (1,): 0, (2,): 0}


# The graph.


@pytest.mark.parametrize(("n_items", "n_positions"), [(10, 5), (4, 4), (5, 4), (2, 1), (7, 1)])
def test_every_neighbour_is_one_exchange_or_replacement_away(
    n_items: int, n_positions: int
) -> None:
    policy = OSUB(n_items, n_positions, seed=2)
    shown = policy.rank()
    policy.update(shown, shown.items)
    leader = shown.items
    n_neighbours = n_positions * (2 * n_items - n_positions - 1) // 2
    assert len(policy.neighbours(leader)) == n_neighbours
    tried = set()
    for _ in range(5 * (1 + n_neighbours)):
        shown = policy.rank()
        policy.update(shown, [])
        if policy.leader == leader:
            tried.add(shown.items)
    for one in tried - {leader}:
        changed = [p for p in range(n_positions) if one[p] != leader[p]]
        exchanged = len(changed) == 2 and set(one) == set(leader)
        assert exchanged or (len(changed) == 1 and one[changed[0]] not in leader)


def test_the_whole_neighbourhood_is_tried_before_any_of_it_again() -> None:
    policy = OSUB(6, 3, seed=2)
    first = policy.rank()
    policy.update(first, first.items[:2])  # mean 2/3: every list below stays below
    tried = []
    for _ in range(2 * 12):
        shown = policy.rank()
        policy.update(shown, [shown.items[0]])
        if policy.leader == first.items:
            tried.append(shown.items)
    neighbours = {one for one in tried if one != first.items}
    assert len(neighbours) == 12 == sum(one != first.items for one in tried[:13])


def test_the_leader_is_played_every_gamma_plus_one_rounds() -> None:
    policy = OSUB(3, 1, seed=5)  # gamma = 2
    knowing(
        policy,
        clicks={(0,): 500, (1,): 1, (2,): 1},
        plays={(0,): 1000, (1,): 3, (2,): 3},
        leads={(0,): 9, (1,): 0, (2,): 0},  # rounds 10, 13, 16 of this leader are its own
    )
    assert [policy.rank().items for _ in range(7)][::3] == [(0,), (0,), (0,)]
    assert policy.rank().items != (0,)


def test_before_the_first_click_every_list_is_equally_likely_to_lead() -> None:
    seen = {
        pair: sum(OSUB(4, 2, seed=seed).rank().items == pair for seed in range(1200))
        for pair in [(a, b) for a, b in combinations(range(4), 2)]
    }
    assert all(60 < count < 145 for count in seen.values())  # 100 each, 4.7 standard deviations


def test_a_propensity_is_one_over_the_lists_that_tie_under_one_leader() -> None:
    policy = OSUB(6, 3, seed=2)
    first = policy.rank()
    assert np.isnan(first.propensity)  # every list could have led
    policy.update(first, first.items[:1])
    assert policy.rank().propensity == pytest.approx(1 / 12)  # none of gamma = 12 was played
    assert policy.rank().items != first.items
    knowing(
        policy,
        clicks={(0, 1, 2): 3, (0, 2, 1): 3},
        plays={(0, 1, 2): 2, (0, 2, 1): 2},
        leads={(0, 1, 2): 1, (0, 2, 1): 1},
    )
    assert np.isnan(policy.rank().propensity)  # two leaders tie


# Files.


def test_a_loaded_osub_goes_on_exactly(tmp_path: Any) -> None:
    policy, draw = OSUB(6, 3, seed=7), Random(7)
    for _ in range(500):
        shown = policy.rank()
        policy.update(shown, [item for item in shown.items if draw.random() < 0.4])
    late = [policy.rank() for _ in range(20)]
    policy.save(tmp_path / "state")
    copy = load(tmp_path / "state")
    for one in (policy, copy):
        for shown in reversed(late):
            one.update(shown, shown.items[:1])
    for _ in range(200):
        assert str(policy.rank()) == str(copy.rank())
    assert contents(policy) == contents(copy)


def test_an_answer_to_a_list_that_it_never_chose_counts() -> None:
    one, other = (OSUB(6, 3, seed=seed) for seed in (1, 2))
    shown = other.rank()
    one.update(np.array(shown.items), np.array([True, False, True]))
    assert (one.plays[shown.items], one.clicks[shown.items]) == (1, 2)
    assert one.leader == shown.items


GOOD: dict[str, Any] = {
    "clicks": {(0, 1): 3, (1, 0): 0},
    "plays": {(0, 1): 2, (1, 0): 1},
    "means": {(0, 1): 0.75, (1, 0): 0.0},
    "leads": {(0, 1): 1, (1, 0): 2},
}


def renamed(shown: Any) -> dict[str, Any]:
    """A good file, in which the first list is another one."""
    return {n: {shown: t[0, 1], (1, 0): t[1, 0]} for n, t in GOOD.items()}


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        ({}, None),
        ({"leads": {(0, 1): 1}}, "clicks, plays, means and leads must be of the same lists"),
        (renamed((0, 3)), "lists must be 2 items, got (0, 3)"),
        (renamed((0, 0)), "lists must be 2 items, got (0, 0)"),
        (renamed((0,)), "lists must be 2 items, got (0,)"),
        (renamed((0.0, 1)), "lists must be 2 items, got (0.0, 1)"),
        ({"leads": {(0, 1): -1, (1, 0): 2}}, "clicks, plays and leads must be counts"),
        ({"plays": {(0, 1): 2.0, (1, 0): 1}}, "clicks, plays and leads must be counts"),
        ({"means": {(0, 1): 0.7, (1, 0): 0.0}}, "means must be clicks per position and play"),
        (
            {"clicks": {(0, 1): 5, (1, 0): 0}, "means": {(0, 1): 1.25, (1, 0): 0.0}},
            "means must be clicks per position and play, at most 1",
        ),
    ],
)
def test_what_no_rounds_could_teach_is_refused(forged: Any, sentence: str | None) -> None:
    policy = OSUB(3, 2)
    if sentence is None:
        policy.check_learnt(GOOD)
    else:
        with pytest.raises(ArgumentError) as caught:
            policy.check_learnt({**GOOD, **forged})
        assert str(caught.value).startswith(sentence)


def test_a_wrong_budget_is_answered_with_the_nearest() -> None:
    with pytest.raises(ArgumentError, match=r"budget 'kl-ucv'.*did you mean 'kl-ucb'"):
        OSUB(3, 2, budget="kl-ucv")


# At work.


def test_it_learns_though_positions_are_out_of_order() -> None:
    users = PBM([0.8, 0.5, 0.2, 0.1], [0.3, 1.0])
    trace = simulate("osub", users, n_positions=2, n_rounds=10_000, n_games=3)
    floor = simulate("random", users, n_positions=2, n_rounds=10_000, n_games=3)
    assert trace.mean[-1] < floor.mean[-1] / 10
