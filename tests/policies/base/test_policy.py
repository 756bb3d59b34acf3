"""The object around every policy: ids in, rankings out, clicks back in any order, clear errors."""

import re
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from unirank import ArgumentError, Policy, UniRank
from unirank.errors import UnknownNameError
from unirank.policies import RandomOrder, registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng

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
    kernels = PolicyKernels(rank_toy, update_toy, full=full_toy)

    def initial_state(self) -> ToyState:
        return ToyState(np.zeros(2, np.int64), np.zeros(1, np.int64))

    def grow(self) -> None:
        self.state = self.state._replace(table=np.append(self.state.table, [0, 0]))


class Demanding(Toy):
    """Cannot do without two of its options."""

    name = "demanding"

    near: int
    far: int


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
        (
            {"items": {"a"}},
            "items must have an order, which a set has not: pass sorted(items), got {'a'}",
        ),
        (
            {"items": frozenset("a")},
            "items must have an order, which a set has not: pass sorted(items), "
            "got frozenset({'a'})",
        ),
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


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {},
            """needs near, far: pass ("demanding", {"near": ..., "far": ...}), """
            "or on the command line demanding(near=..., far=...)",
        ),
        (
            {"near": 1},
            """needs far: pass ("demanding", {"far": ...}), or on the command line """
            "demanding(far=...)",
        ),
    ],
)
def test_an_option_that_must_be_given_is_asked_for(options: dict[str, int], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Demanding.check_options(options)
    assert str(caught.value) == f"policy 'demanding' {sentence}"


def test_all_options_that_must_be_given_suffice() -> None:
    Demanding.check_options({"near": 1, "far": 2})


@BOTH
def test_all_own_options_are_accepted(cls: type[Policy]) -> None:
    cls.check_options({**cls(3, 2).options, "max_pending": 5})


def test_a_policy_shows_its_settings() -> None:
    policy = UniRank(3, 2, seed=4, budget="ln")
    policy.rank()
    settings = "n_positions=2, seed=4, early='leader', budget='ln', round=1"
    assert repr(policy) == f"UniRank(items=[0, 1, 2], {settings})"
    assert repr(UniRank(list("abcdefg"), 2)).startswith(
        "UniRank(items=['a', 'b', 'c', 'd', ... 7 in"
    )


@pytest.mark.parametrize("name", ["unirank", "random"])
@pytest.mark.parametrize("items", [10**9, 10**18, range(10**9)])
def test_more_items_than_fit_in_memory_are_refused_at_once(items: int | range, name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        registry[name](items, 2)
    n_items = items if isinstance(items, int) else len(items)
    assert re.fullmatch(
        rf"items must fit in memory: {n_items} items of {name} need about \d+ GB, this machine has "
        r"\d+ GB",
        str(caught.value),
    )


@pytest.mark.parametrize("name", sorted({e.name for e in registry if e.cls.kernels.compiled}))
def test_the_memory_needed_is_not_too_low(name: str) -> None:
    cls = registry[name]
    for n_items in (1000, 2000):
        policy = cls(n_items, 5, **cls.example_options(tuple(range(n_items)), 5))
        needed = sum(array.nbytes for array in policy.state if isinstance(array, np.ndarray))
        assert needed <= cls.memory_needed(n_items, 5)


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


# Plain data and back.


def test_a_policy_without_options_refuses_any() -> None:
    with pytest.raises(ArgumentError, match="unknown option of random: 'early'"):
        RandomOrder(3, 2, early="leader")
    assert RandomOrder.option_names() == ["max_pending", "position_order"]


def test_the_items_that_a_round_may_choose_from_are_told() -> None:
    policy = UniRank(["a", "b", "c", "d"], 2)
    policy.remove("b")
    assert policy.items_among(["d", "b", "a"]) == ["a", "d"]
    with pytest.raises(ArgumentError, match="available must hold at least n_positions=2"):
        policy.items_among(["d", "b"])
