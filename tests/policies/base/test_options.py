"""Options are declared once; the constructor, checks, defaults and files follow from that."""

from typing import Any, Literal

import numpy as np
import pytest

from unirank import ArgumentError, PlainPolicy, UniRank
from unirank.policies.base.facts import Facts
from unirank.policies.base.options import (
    Count,
    Horizon,
    PerItem,
    PerPair,
    Positive,
    Probability,
)


class Optional(PlainPolicy):
    """A policy with an option of each kind."""

    depth: int = 3
    width: float = 0.5
    greedy: bool = False
    label: str = "x"
    mode: Literal["slow", "fast"] = "slow"
    weights: list[float] = [1.0]  # noqa: RUF012
    horizon: Horizon | None = None
    share: Probability = 0.1
    n_steps: Count = 1
    scale: Positive = 2.0

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        return np.arange(self.n_positions)

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("depth", 2.5, "depth must be an integer, got 2.5"),
        ("depth", True, "depth must be an integer, got True"),
        ("width", "wide", "width must be a number, got 'wide'"),
        ("width", float("inf"), "width must be a number, got inf"),
        ("greedy", 1, "greedy must be True or False, got 1"),
        ("label", 7, "label must be a text, got 7"),
        ("mode", "fastt", "unknown mode 'fastt'; did you mean 'fast'?"),
        ("weights", 3, "weights must be a list, got 3"),
        ("horizon", 0, f"horizon must be in 1..{2**60}, got 0"),
        ("share", 1.5, "share must be in [0, 1], got 1.5"),
        ("n_steps", 0, "n_steps must be >= 1, got 0"),
        ("scale", 0, "scale must be a number > 0, got 0"),
        ("depth", None, "depth must be an integer, got None"),
    ],
)
def test_a_wrong_value_is_named_with_its_rule(option: str, value: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Optional(3, 2, **{option: value})
    assert str(caught.value) == sentence


def test_right_values_are_kept_as_plain_data() -> None:
    policy = Optional(
        3, 2, depth=np.int64(5), weights=np.array([1.0, 2.0]), mode="fast", horizon=None
    )
    assert (policy.depth, policy.weights, policy.mode) == (5, [1.0, 2.0], "fast")
    assert type(policy.options["depth"]) is int
    assert policy.to_saved().options == policy.options


def test_defaults_are_read_on_the_class() -> None:
    assert (Optional.depth, UniRank.early) == (3, "leader")


def test_an_option_cannot_change_after_construction() -> None:
    with pytest.raises(AttributeError, match="depth is an option of Optional: give it to the con"):
        Optional(3, 2).depth = 4


def test_a_subclass_adds_options_and_changes_defaults() -> None:
    class Deeper(Optional):
        depth = 9
        extra: int = 1

    assert (Deeper(3, 2).depth, Deeper(3, 2).extra, Optional(3, 2).depth) == (9, 1, 3)
    assert Deeper.option_names()[:2] == ["depth", "width"]


def test_an_annotation_that_cannot_be_checked_is_refused() -> None:
    with pytest.raises(TypeError, match="option model must be annotated with int, float"):
        type("Odd", (UniRank,), {"__annotations__": {"model": UniRank}, "model": None})


class Priced(PlainPolicy):
    """Shows the items by what they are told of each, and of each pair."""

    prices: PerItem
    wins: PerPair | None = None

    def rank(self, rng: Any = None) -> Any:
        return np.argsort(-np.array(self.prices), kind="stable")[: self.n_positions]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass


TABLE = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"prices": [1, 2]}, "prices must have n_items=3 numbers, one for each item, got 2"),
        ({"prices": 3}, "prices must have shape n, got shape ()"),
        ({"prices": [1, "a", 2]}, "prices must be numbers, got [1, 'a', 2]"),
        ({"prices": [1, 2, np.inf]}, "prices[2] must be a number, got inf"),
        (
            {"prices": [1, 2, 3], "wins": [[1, 2, 3], [1, 2, 3]]},
            "wins must have n_items=3 rows and columns, one for each item, got 2 x 3",
        ),
        ({"prices": [1, 2, 3], "wins": [1, 2, 3]}, "wins must have shape n x n, got shape (3,)"),
    ],
)
def test_numbers_for_each_item_are_as_many_as_items(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Priced(3, 2, **options)
    assert str(caught.value) == sentence


def test_numbers_for_each_item_are_kept_in_files() -> None:
    policy = Priced(["a", "b", "c"], 2, prices=np.array([1, 3, 2]), wins=TABLE)
    assert policy.rank().items == ("b", "c")
    assert policy.to_saved().options == {"prices": [1.0, 3.0, 2.0], "wins": TABLE}
    assert Priced.from_saved(policy.to_saved()).rank().items == ("b", "c")


def test_numbers_for_each_item_follow_the_items() -> None:
    order = np.array([2, 0, 1])  # item 0 is old item 2
    assert Priced.declared["prices"].reordered([5, 6, 7], order) == [7.0, 5.0, 6.0]
    expected = [[8.0, 6.0, 7.0], [2.0, 0.0, 1.0], [5.0, 3.0, 4.0]]
    assert Priced.declared["wins"].reordered(TABLE, order) == expected
    assert Priced.declared["wins"].reordered(None, order) is None
    assert Optional.declared["weights"].reordered([1, 2, 3], order) == [1, 2, 3]


def test_an_item_that_has_no_number_cannot_be_added() -> None:
    class Growing(Priced):
        facts = Facts(catalogue=True)

        def extend_state(self) -> None:
            pass

    policy = Growing(["a", "b", "c"], 2, prices=[1, 2, 3])
    with pytest.raises(ArgumentError) as caught:
        policy.add("d")
    assert str(caught.value) == (
        "item must be known where prices has numbers for each item, got 'd': make a new policy "
        "with prices for all items"
    )
    policy.remove("a")
    policy.add("a")  # a known one can come back
    assert policy.items == ("a", "b", "c")
