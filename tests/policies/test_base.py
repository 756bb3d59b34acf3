"""The object around every policy: ids in, rankings out, clicks back in any order, clear errors."""

from dataclasses import replace
from itertools import islice
from math import isnan
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.policies.situations import play, some_clicks
from tests.reference.uni_rank import UniRankTwin
from unirank import ArgumentError, Policy, RandomOrder, Ranking, UniRank
from unirank.errors import UnknownNameError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng
from unirank.policies.kernels import Kernels

BOTH = pytest.mark.parametrize("cls", [RandomOrder, UniRank])


class ToyState(NamedTuple):
    table: NDArray[np.int64]  # (room,) how often each round's first item was clicked
    used: NDArray[np.int64]  # (1,)


@compiled
def rank_toy(state: ToyState, rng: Rng, ranking: NDArray[np.int64]) -> None:
    state.used[0] += 1
    for position in range(ranking.size):
        ranking[position] = position


@compiled
def update_toy(state: ToyState, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    state.table[state.used[0] - 1] += clicks[0]


@compiled
def full_toy(state: ToyState) -> bool:
    return bool(state.used[0] == state.table.size)


class Toy(Policy):
    """Shows the first items, and needs more room every second round."""

    name = "toy"
    kernels = Kernels(rank_toy, update_toy, full=full_toy)

    def initial_state(self) -> ToyState:
        return ToyState(np.zeros(2, np.int64), np.zeros(1, np.int64))

    def grow(self) -> None:
        self.state = self.state._replace(table=np.append(self.state.table, [0, 0]))


def contents(policy: Policy) -> bytes:
    """Everything a policy knows, its unanswered rounds included."""
    return msgspec.msgpack.encode(policy.to_saved())


def future(policy: UniRank, n_rounds: int = 50) -> list[Ranking]:
    """What the policy shows next if nobody clicks any more."""
    return [policy.rank() for _ in range(n_rounds)]


# Items, positions, seeds.


@BOTH
@pytest.mark.parametrize("items", [["a", "b", "c"], [7, 70, 700], ["a", 7, "7"]])
def test_rankings_speak_in_the_ids_given(cls: type[Policy], items: list[int | str]) -> None:
    assert {cls(items, 3).rank().items[n] for n in range(3)} == set(items)


@BOTH
def test_a_count_of_items_names_them_from_zero(cls: type[Policy]) -> None:
    assert sorted(cls(4, 4).rank().items) == [0, 1, 2, 3]


def test_integers_of_numpy_are_plain_integers() -> None:
    shown = UniRank(list(np.arange(5, 8)), np.int64(3), seed=np.int64(1)).rank()  # type: ignore[arg-type]
    assert {type(item) for item in shown.items} == {int}


@BOTH
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n_positions": 4}, "n_positions must be in 1..n_items=3, got 4"),
        ({"n_positions": 0}, "n_positions must be in 1..n_items=3, got 0"),
        ({"n_positions": 1.5}, "n_positions must be an integer in 1..n_items=3, got 1.5"),
        ({"n_positions": True}, "n_positions must be an integer in 1..n_items=3, got True"),
        ({"n_positions": "2"}, "n_positions must be an integer in 1..n_items=3, got '2'"),
        ({"items": []}, "items must not be empty, got []"),
        ({"items": 0}, "items must be >= 1, got 0"),
        ({"items": ["a", "b", "a"]}, "items must be unique, got 'a' twice"),
        ({"items": [1, 2.5]}, "items must be strings or integers, got 2.5"),
        ({"items": [1, True]}, "items must be strings or integers, got True"),
        ({"items": "abc"}, "items must be a count or a list of ids, got 'abc'"),
        ({"items": True}, "items must be a count or a list of ids, got True"),
        ({"items": None}, "items must be a count or a list of ids, got None"),
        ({"seed": -1}, f"seed must be in 0..{2**63 - 1}, got -1"),
        ({"seed": 2**63}, f"seed must be in 0..{2**63 - 1}, got {2**63}"),
        ({"seed": 0.5}, f"seed must be an integer in 0..{2**63 - 1}, got 0.5"),
        ({"seed": False}, f"seed must be an integer in 0..{2**63 - 1}, got False"),
        ({"max_pending": 0}, "max_pending must be >= 1, got 0"),
        ({"max_pending": "many"}, "max_pending must be an integer >= 1, got 'many'"),
    ],
)
def test_a_wrong_argument_is_named_with_its_rule_and_value(
    cls: type[Policy], arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        cls(**{"items": 3, "n_positions": 2, **arguments})
    assert str(caught.value) == sentence


def test_an_option_that_does_not_exist_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        UniRank.check_options({"early": "leader", "budgt": "ln"})
    assert str(caught.value) == "unknown option of unirank: 'budgt'; did you mean 'budget'?"


@BOTH
def test_all_own_options_are_accepted(cls: type[Policy]) -> None:
    cls.check_options({**cls(3, 2).options, "max_pending": 5})


def test_a_policy_shows_its_settings() -> None:
    policy = UniRank(3, 2, seed=4, budget="ln")
    policy.rank()
    expected = "UniRank(n_items=3, n_positions=2, seed=4, early='leader', budget='ln', round=1)"
    assert repr(policy) == expected


# Rankings.


@BOTH
def test_rounds_are_counted_from_one(cls: type[Policy]) -> None:
    policy = cls(3, 2)
    assert [policy.rank().round for _ in range(4)] == [1, 2, 3, 4]


@BOTH
@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (2, 1), (2, 2), (9, 4)])
def test_every_page_is_full_of_different_items(
    cls: type[Policy], n_items: int, n_positions: int
) -> None:
    policy = cls(n_items, n_positions)
    assert {len(set(policy.rank().items)) for _ in range(50)} == {n_positions}


@BOTH
def test_the_same_seed_gives_the_same_rankings(cls: type[Policy]) -> None:
    one, two = cls(9, 4, seed=3), cls(9, 4, seed=3)
    assert [one.rank() for _ in range(20)] == [two.rank() for _ in range(20)]


@BOTH
def test_another_seed_gives_other_rankings(cls: type[Policy]) -> None:
    one, two = cls(9, 4, seed=3), cls(9, 4, seed=4)
    assert [one.rank() for _ in range(20)] != [two.rank() for _ in range(20)]


# A subclass.


def test_a_state_grows_when_it_is_full() -> None:
    policy = Toy(3, 2)
    assert [policy.rank().round for _ in range(7)] == list(range(1, 8))
    assert policy.state.table.size == 8


def test_growing_forgets_nothing() -> None:
    policy = Toy(3, 2)
    for _ in range(5):
        policy.update(policy.rank(), [0])
    assert policy.state.table.tolist() == [1, 1, 1, 1, 1, 0]


def test_a_policy_that_cannot_tell_its_propensity_gives_nan() -> None:
    assert isnan(Toy(3, 2).rank().propensity)


def test_all_arrays_of_a_state_are_its_statistics_unless_a_policy_says_otherwise() -> None:
    assert list(Toy(3, 2).statistics()) == ["table", "used"]


def test_statistics_of_another_shape_are_not_restored() -> None:
    with pytest.raises(ArgumentError, match=r"^table must have shape \(2,\)$"):
        Toy(3, 2).restore({"table": np.zeros(3, np.int64), "used": np.zeros(1, np.int64)})


def test_a_policy_must_say_how_it_starts() -> None:
    with pytest.raises(NotImplementedError):
        Policy(3, 2)


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
        ("1", "round must be an integer in 1..last round=3, got '1'"),
        (Ranking(("d", "b"), 4, 1.0), "round must be in 1..last round=3, got 4"),
        (
            Ranking(("b", "d"), 1, 1.0),
            "shown must be a ranking this policy gave: round 1 was not ('b', 'd')",
        ),
        (
            Ranking(("d",), 1, 1.0),
            "shown must be a ranking this policy gave: round 1 was not ('d',)",
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


@pytest.mark.parametrize("seed", range(6))
def test_late_updates_are_those_of_the_twin_on_the_partition_it_then_played(seed: int) -> None:
    policy, twin = UniRank(6, 3, seed=seed), UniRankTwin(6, 3, seed=seed)
    draw, waiting = Random(seed), list[Any]()
    for _ in range(400):
        ranking, shown = twin.rank(), policy.rank()
        assert list(shown.items) == ranking
        waiting.insert(draw.randint(0, len(waiting)), (shown, twin.played))
        for answered, played in islice(list(waiting), draw.randint(0, 2)):
            waiting.pop(0)
            clicks = some_clicks(answered.items, draw)
            policy.update(answered, clicks)
            twin.played = played
            twin.update(answered.items, [item in clicks for item in answered.items])
    np.testing.assert_array_equal(policy.state.wins - policy.state.wins.T, twin.differences)


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


# Plain data and back.


@BOTH
def test_a_policy_survives_its_plain_data(cls: type[Policy]) -> None:
    policy = cls(["a", "b", 3], 2, seed=5, max_pending=7)
    policy.update(policy.rank(), [])
    policy.rank()
    copy = cls.from_saved(policy.to_saved())
    assert contents(copy) == contents(policy)
    assert [copy.rank() for _ in range(20)] == [policy.rank() for _ in range(20)]


def test_edited_rankings_are_refused_after_plain_data_too(policy: UniRank) -> None:
    shown = policy.rank()
    copy = UniRank.from_saved(policy.to_saved())
    with pytest.raises(ArgumentError, match=r"^shown must be a ranking this policy gave"):
        copy.update(replace(shown, items=shown.items[::-1]), [])
