"""A policy as plain data: its items, settings and statistics, without the rounds of a page.

What follows from the statistics (the leader, summaries, scratch) is derived anew when a policy is
made from a snapshot, so that a forged file has no index into memory to forge.
"""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError


class SavedArray(msgspec.Struct):
    dtype: str
    shape: list[int]
    data: bytes


class SavedStatistics(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What was learnt: `statistics` of a compiled policy, `plain` of a plain one."""

    statistics: dict[str, SavedArray] = {}
    plain: dict[str, Any] = {}  # what a PlainPolicy keeps, by attribute


class PolicySnapshot(SavedStatistics, omit_defaults=True, kw_only=True):
    policy: str
    items: list[int | str]
    n_positions: int
    seed: int
    options: dict[str, Any]
    position_order: list[int] = []  # empty: the first place is the most examined one
    module: str = ""  # of a class of the user's own
    removed: list[int] = []  # numbers of items
    seed_was_drawn: bool = False  # then each copy draws another
    half_life: float | None = None


def to_saved_array(array: NDArray[Any], *, copy: bool = True) -> SavedArray:
    """The array as plain data; without a copy it is a view, to be encoded before anything moves."""
    data: Any = array.tobytes() if copy else np.ascontiguousarray(array).reshape(-1).view("u1").data
    return SavedArray(array.dtype.str, list(array.shape), data)


def from_saved_array(name: str, saved: SavedArray, dtype: np.dtype[Any]) -> NDArray[Any]:
    if saved.dtype != dtype.str:
        raise ArgumentError(f"{name} must be {dtype.str}, got {saved.dtype}")
    try:
        return np.frombuffer(saved.data, dtype).reshape(saved.shape)
    except ValueError as error:
        raise ArgumentError(f"{name} does not fill its shape: {error}") from None
