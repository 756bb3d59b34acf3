"""A policy as plain data without rounds: what was learnt comes back exactly, or is refused."""

from typing import Any

import msgspec
import numpy as np
import pytest

from unirank import ArgumentError, UniRank
from unirank.policies import registry
from unirank.policies.base.snapshot import (
    PolicySnapshot,
    SavedArray,
    from_saved_array,
    to_saved_array,
)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.array([1, 2**64 - 1], np.uint64),
        np.zeros((0, 4)),
        np.array([True, False]),
        np.arange(12).reshape(3, 4).T,  # not contiguous
        np.arange(9)[::2],
    ],
)
def test_arrays_are_read_back_exactly(array: Any) -> None:
    again = from_saved_array("x", to_saved_array(array), array.dtype)
    np.testing.assert_array_equal(again, array, strict=True)


def test_an_array_of_another_type_is_refused() -> None:
    saved = to_saved_array(np.zeros(3, np.float32))
    with pytest.raises(ArgumentError, match=r"^wins must be <i8, got <f4$"):
        from_saved_array("wins", saved, np.dtype(np.int64))


@pytest.mark.parametrize("shape", [[3], [2, 2], [-1, 5], [2**63], [0], [1] * 70])
def test_an_array_that_does_not_fill_its_shape_is_refused(shape: list[int]) -> None:
    saved = SavedArray("<i8", shape, bytes(16))
    with pytest.raises(ArgumentError, match=r"^wins does not fill its shape: .+"):
        from_saved_array("wins", saved, np.dtype(np.int64))


def test_an_array_with_part_of_a_number_is_refused() -> None:
    saved = SavedArray("<i8", [2], bytes(15))
    with pytest.raises(ArgumentError, match=r"^wins does not fill its shape: .+"):
        from_saved_array("wins", saved, np.dtype(np.int64))


@pytest.mark.parametrize("name", [*registry.names(), "plain-unirank"])
def test_a_policy_from_a_snapshot_chooses_the_same_lists(name: str) -> None:
    cls = registry[name]
    policy = cls(list("abcdef"), 3, seed=2, **cls.example_options(tuple("abcdef"), 3))
    for _ in range(40):
        shown = policy.rank()
        policy.update(shown, shown.items[:1])
    packed = msgspec.msgpack.encode(policy.to_snapshot())
    again = cls.from_snapshot(msgspec.msgpack.decode(packed, type=PolicySnapshot))
    assert again._rounds is None
    lists = [again.rank_at(number).items for number in range(50, 70)]
    assert lists == [policy.rank_at(number).items for number in range(50, 70)]


def test_removed_items_stay_removed() -> None:
    policy = UniRank(list("abcdef"), 3, seed=2)
    policy.remove("b")
    assert UniRank.from_snapshot(policy.to_snapshot()).removed == ("b",)
