"""OSUB on rankings: the cases of its specification, state files, and what it learns."""

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents
from unirank import PBM, ArgumentError, load, simulate
from unirank.policies import OSUB


def test_a_list_that_nobody_answers_stays_the_first_to_try() -> None:
    fresh = OSUB(3, 1, seed=1)
    fresh.restore(
        {
            "lists": np.array([[0], [1]], np.int32),
            "clicks": np.array([1, 0]),
            "plays": np.array([2, 0]),
            "leads": np.array([1, 7]),
        }
    )
    assert {fresh.rank().items for _ in range(20)} == {(0,), (1,), (2,)}
    assert fresh.state.arms["plays"][:3].tolist() == [2, 0, 0]


# The graph.


@pytest.mark.parametrize(("n_items", "n_positions"), [(10, 5), (4, 4), (5, 4), (2, 1), (7, 1)])
def test_every_neighbour_is_one_exchange_or_replacement_away(
    n_items: int, n_positions: int
) -> None:
    policy = OSUB(n_items, n_positions, seed=2)
    shown = policy.rank()
    policy.update(shown, shown.items)
    leader = shown.items
    tried = set()
    for _ in range(5 * len(policy.state.near)):
        shown = policy.rank()
        policy.update(shown, [])
        if policy.leader == leader:
            tried.add(shown.items)
    assert len(policy.state.near) - 1 == n_positions * (2 * n_items - n_positions - 1) // 2
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
    policy.restore(
        {
            "lists": np.array([[0], [1], [2]], np.int32),
            "clicks": np.array([500, 1, 1]),
            "plays": np.array([1000, 3, 3]),
            "leads": np.array([9, 0, 0]),  # rounds 10, 13, 16 of this leader are its own
        }
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
    policy.restore(
        {
            "lists": np.array([[0, 1, 2], [0, 2, 1]], np.int32),
            "clicks": np.array([3, 3]),
            "plays": np.array([2, 2]),
            "leads": np.array([1, 1]),
        }
    )
    assert np.isnan(policy.rank().propensity)  # two leaders tie


# Growth and files.


def test_the_table_grows_and_nothing_is_lost() -> None:
    policy, draw = OSUB(8, 4, seed=6), Random(6)
    room = policy.state.arms.size
    n_clicks = n_plays = 0
    while policy.state.arms.size == room or policy.round < 4000:
        shown = policy.rank()
        clicks = [item for item in shown.items if draw.random() < 0.3]
        policy.update(shown, clicks)
        n_clicks, n_plays = n_clicks + len(clicks), n_plays + 1
    found = policy.statistics()
    assert found["clicks"].sum() == n_clicks
    assert found["plays"].sum() == found["leads"].sum() == n_plays
    means = found["clicks"] / np.maximum(found["plays"], 1)
    assert policy.leader == tuple(found["lists"][means.argmax()].tolist())


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


def test_an_unanswered_round_of_an_unknown_list_is_refused() -> None:
    policy = OSUB(6, 3, seed=7)
    policy.rank()
    saved = policy.to_saved()
    saved.statistics.update(OSUB(6, 3).to_saved().statistics)
    with pytest.raises(ArgumentError, match="unanswered round 1 is not one this policy gave"):
        OSUB.from_saved(saved)


GOOD: dict[str, Any] = {
    "lists": [[0, 1], [1, 0]],
    "clicks": [3, 0],
    "plays": [2, 1],
    "leads": [1, 2],
}


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        ({"lists": [[0], [1]]}, "lists must have 2 columns, got shape (2, 1)"),
        ({"lists": [[0, 3], [1, 0]]}, "lists must hold items 0..2"),
        ({"lists": [[-1, 1], [1, 0]]}, "lists must hold items 0..2"),
        ({"lists": [[0, 0], [1, 0]]}, "lists must not show an item twice"),
        ({"lists": [[1, 0], [1, 0]]}, "lists must be different from each other"),
        ({"clicks": [5, 0]}, "clicks must be at most n_positions per play"),
        ({"clicks": [3, -1]}, "clicks must be one count per list"),
        ({"plays": [2]}, "plays must be one count per list"),
        ({"leads": [1, 2**60]}, f"leads must be at most {2**50}"),
    ],
)
def test_forged_statistics_are_refused(forged: dict[str, Any], sentence: str) -> None:
    types = {name: array.dtype for name, array in OSUB(3, 2).statistics().items()}
    fields = {name: np.array(value, types[name]) for name, value in {**GOOD, **forged}.items()}
    with pytest.raises(ArgumentError) as caught:
        OSUB(3, 2).restore(fields)
    assert str(caught.value) == sentence


def test_a_wrong_budget_is_answered_with_the_nearest() -> None:
    with pytest.raises(ArgumentError, match=r"budget 'kl-ucv'.*did you mean 'kl-ucb'"):
        OSUB(3, 2, budget="kl-ucv")


# At work.


def test_it_learns_though_positions_are_out_of_order() -> None:
    users = PBM([0.8, 0.5, 0.2, 0.1], [0.3, 1.0])
    trace = simulate("osub", users, n_positions=2, n_rounds=20_000, n_games=10)
    floor = simulate("random", users, n_positions=2, n_rounds=20_000, n_games=10)
    assert trace.mean[-1] < floor.mean[-1] / 10
