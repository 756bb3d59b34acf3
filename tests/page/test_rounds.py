"""Clicks on their way back: which are refused, and what late or missing ones change."""

import json
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import contents, future, play, some_clicks
from unirank import ArgumentError, Ranking, UniRank

# Clicks.


@pytest.fixture
def policy() -> UniRank:
    return UniRank(["a", "b", "c", "d"], 2, seed=1)


@pytest.mark.parametrize(
    ("clicks", "sentence"),
    [
        (["a"], "clicks must be among the shown ['d', 'b'], got 'a'"),
        (["b", "zebra"], "clicks must be among the shown ['d', 'b'], got 'zebra'"),
        ([0], "clicks must be among the shown ['d', 'b'], got 0"),
        ([None], "clicks must be among the shown ['d', 'b'], got None"),
        ("a", "clicks must be a list of item ids, got 'a'"),
        (b"a", "clicks must be a list of item ids, got b'a'"),
        (3, "clicks must be a list of item ids, got 3"),
        (None, "clicks must be a list of item ids, got None"),
    ],
)
def test_clicks_that_cannot_be_are_refused(policy: UniRank, clicks: Any, sentence: str) -> None:
    shown = policy.rank()
    assert shown.items == ("d", "b")
    with pytest.raises(ArgumentError) as caught:
        policy.update(shown, clicks)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("form", [list, tuple, set, iter, lambda ids: [*ids, *ids]])
def test_clicks_come_in_any_form_and_order(policy: UniRank, form: Any) -> None:
    shown = policy.rank()
    policy.update(shown, form([shown.items[1]]))
    assert policy.leader[0] == (shown.items[1],)


def test_clicks_do_not_linger_to_the_next_round(policy: UniRank) -> None:
    policy.update(policy.rank(), policy.rank().items[:0])
    first = policy.rank()
    policy.update(first, first.items)
    before = policy.state.wins.copy()
    policy.update(policy.rank(), [])
    np.testing.assert_array_equal(policy.state.wins, before)


# Which round is meant.


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [
        (0, "round must be in 1..last round=3, got 0"),
        (4, "round must be in 1..last round=3, got 4"),
        (2.0, "round must be an integer in 1..last round=3, got 2.0"),
        (True, "round must be an integer in 1..last round=3, got True"),
        (b"1", "round must be an integer in 1..last round=3, got b'1'"),
        ("1", "token must be a text that shown.token gave, got '1'"),
        (Ranking(("d", "b"), 4, 1.0), "round must be in 1..last round=3, got 4"),
        (
            Ranking(("b", "d"), 1, 1.0),
            "shown must be a ranking this policy gave: round 1 was ('d', 'b'), got ('b', 'd')",
        ),
        (
            Ranking(("d",), 1, 1.0),
            "shown must be a ranking this policy gave: round 1 was ('d', 'b'), got ('d',)",
        ),
    ],
)
def test_a_round_that_was_not_given_is_refused(policy: UniRank, shown: Any, sentence: str) -> None:
    assert future(policy, 3)[0].items == ("d", "b")
    with pytest.raises(ArgumentError) as caught:
        policy.update(shown, [])
    assert str(caught.value) == sentence


def test_a_ranking_of_another_policy_is_refused(policy: UniRank) -> None:
    policy.rank()
    with pytest.raises(ArgumentError, match=r"^shown must be a ranking this policy gave: round 1"):
        policy.update(UniRank(["a", "b", "c", "d"], 2, seed=2).rank(), [])


def test_nothing_can_be_updated_before_the_first_round(policy: UniRank) -> None:
    with pytest.raises(ArgumentError, match=r"^round must be in 1\.\.last round=0, got 1$"):
        policy.update(1, [])


def test_a_round_is_updated_once(policy: UniRank) -> None:
    shown = policy.rank()
    policy.update(shown, [])
    with pytest.raises(ArgumentError, match=r"^round 1 was already updated$"):
        policy.update(shown, [shown.items[0]])


def test_a_round_number_stands_for_its_ranking(policy: UniRank) -> None:
    other = UniRank(["a", "b", "c", "d"], 2, seed=1)
    for _ in range(30):
        shown = policy.rank()
        policy.update(shown, [shown.items[1]])
        other.update(other.rank().round, [shown.items[1]])
    assert contents(policy) == contents(other)


@pytest.mark.parametrize(
    ("shown", "clicks"),
    [
        (3, ["zebra"]),
        (1, "a"),
        (7, []),
        (2, []),  # answered below
        (Ranking(("a", "b"), 1, 1.0), []),
    ],
)
def test_an_update_that_fails_changes_nothing(policy: UniRank, shown: Any, clicks: Any) -> None:
    rounds = future(policy, 4)
    policy.update(2, rounds[1].items[:1])
    before, arrays = contents(policy), [np.copy(array) for array in policy.state]
    with pytest.raises(ArgumentError):
        policy.update(shown, clicks)
    assert contents(policy) == before
    assert all(map(np.array_equal, policy.state, arrays))


def test_a_round_can_be_updated_after_an_update_of_it_failed(policy: UniRank) -> None:
    shown = policy.rank()
    with pytest.raises(ArgumentError):
        policy.update(shown, [shown.items[0], "zebra"])
    policy.update(shown, [shown.items[1]])
    assert policy.leader[0] == (shown.items[1],)


# Late, out of order, never.


def in_order_and_shuffled(n_rounds: int, seed: int) -> tuple[UniRank, UniRank]:
    """Two policies that give the same rankings, then learn the same clicks in different orders."""
    one, two = (UniRank(6, 3, seed=seed, max_pending=n_rounds) for _ in range(2))
    draw = Random(seed)
    for policy in (one, two):
        play(policy, 40, Random(seed))
    rounds = list(zip(future(one, n_rounds), future(two, n_rounds), strict=True))
    answers = {shown.round: some_clicks(shown.items, draw) for shown, _ in rounds}
    for shown, _ in rounds:
        one.update(shown, answers[shown.round])
    for _, shown in draw.sample(rounds, n_rounds):
        two.update(shown, answers[shown.round])
    return one, two


@pytest.mark.parametrize("seed", range(5))
def test_late_updates_teach_the_same_in_any_order(seed: int) -> None:
    one, two = in_order_and_shuffled(60, seed)
    np.testing.assert_array_equal(one.state.wins, two.state.wins)


@pytest.mark.parametrize("seed", range(5))
def test_late_updates_in_any_order_lead_to_the_same_rankings(seed: int) -> None:
    one, two = in_order_and_shuffled(60, seed)
    assert play(one, 100, Random(1)) == play(two, 100, Random(1))


def test_no_clicks_teach_as_much_as_no_update(policy: UniRank) -> None:
    other = UniRank(["a", "b", "c", "d"], 2, seed=1)
    for n in range(200):
        shown = policy.rank()
        assert other.rank() == shown
        clicks = [shown.items[1]] if n < 20 else []
        policy.update(shown, clicks)
        if clicks:
            other.update(shown.round, clicks)


def test_unanswered_rounds_are_let_go_oldest_first() -> None:
    policy = UniRank(4, 2, max_pending=3)
    future(policy, 5)
    for shown in (3, 4, 5):
        policy.update(shown, [])
    with pytest.raises(ArgumentError) as caught:
        policy.update(2, [])
    sentence = "let go: at most max_pending=3 unanswered rounds are remembered"
    assert str(caught.value) == f"round 2 was already updated, or {sentence}"


def test_a_policy_that_is_never_answered_does_not_grow() -> None:
    policy = UniRank(50, 5, max_pending=10)
    future(policy, 20)
    size = len(contents(policy))
    future(policy, 2000)
    assert len(contents(policy)) <= size + 100  # larger round numbers take a few more bytes


@pytest.mark.parametrize("clicks", [[[1]], [{}], [True, False]])
def test_clicks_that_are_no_ids_are_refused(clicks: Any) -> None:
    policy = UniRank(2, 2)
    with pytest.raises(ArgumentError, match=r"^clicks must be among the shown"):
        policy.update(policy.rank(), clicks)


def test_a_ranking_that_went_through_json_is_still_the_one_given() -> None:
    policy = UniRank(["tea", "mug", "pot"], 2, seed=1)
    shown = Ranking(**json.loads(json.dumps(asdict(policy.rank()))))
    policy.update(shown, [shown.items[0]])
    assert policy.leader[0] == (shown.items[0],)
