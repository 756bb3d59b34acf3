"""Options are declared once; the constructor, checks, defaults and files follow from that."""

from typing import Any, Literal

import numpy as np
import pytest

from unirank import ArgumentError, PlainPolicy, UniRank
from unirank.policies.base.options import Count, Horizon, Positive, Probability


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
