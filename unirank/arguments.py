"""Checks of arguments; each error names the argument, the rule and the value."""

import operator
from collections.abc import Callable, Iterable, KeysView, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank.errors import ArgumentError, UnknownNameError

LARGEST_SEED = 2**63 - 1


def integer(name: str, value: object, low: int, high: int | None = None, note: str = "") -> int:
    """Return `value` as an int in low..high; `note` explains where `high` comes from."""
    number = _whole(value)
    if number is None or number < low or (high is not None and number > high):
        rule = f">= {low}" if high is None else f"in {low}..{note}{high}"
        kind = "an integer " if number is None else ""
        raise ArgumentError(f"{name} must be {kind}{rule}, got {value!r}")
    return number


def _whole(value: object) -> int | None:
    """Return `value` as an int if it is a whole number of any library, but not a truth value."""
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_ | np.ndarray) or not hasattr(value, "__index__"):
        return None
    return operator.index(value)


def seed(value: object) -> int:
    return integer("seed", value, 0, LARGEST_SEED)


def horizon(name: str, value: object) -> int:
    """Return `value` as a number of rounds to come; far longer than any game is allowed."""
    return integer(name, value, 1, 2**60)


def whole_number(name: str, value: object) -> int:
    number = _whole(value)
    if number is None:
        raise ArgumentError(f"{name} must be an integer, got {value!r}")
    return integer(name, number, -(2**63), 2**63 - 1)


def truth(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{name} must be a text, got {value!r}")
    return str(value)


def plain_list(name: str, value: object) -> list[Any]:
    """Return a list, tuple or array as a list of plain numbers, texts and lists."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ArgumentError(f"{name} must be a list, got {value!r}")
    return [item.tolist() if isinstance(item, np.ndarray | np.generic) else item for item in value]


def choice(name: str, value: object, known: Sequence[Any]) -> Any:
    """Return `value` if it is one of `known`, else say which was probably meant."""
    if value not in known:
        raise UnknownNameError(name, value, known)
    return value


def number(name: str, value: object) -> float:
    """Return `value` as a float, not infinite."""
    return _number(name, value, "a number", lambda number: True)


def positive(name: str, value: object) -> float:
    """Return `value` as a float above 0, not infinite."""
    return _number(name, value, "a number > 0", lambda number: number > 0)


def non_negative(name: str, value: object) -> float:
    """Return `value` as a float of at least 0, not infinite."""
    return _number(name, value, "a number >= 0", lambda number: number >= 0)


def _number(name: str, value: object, rule: str, allows: Callable[[float], bool]) -> float:
    found = _finite(value)
    if found is None or not allows(found):
        raise ArgumentError(f"{name} must be {rule}, got {value!r}")
    return found


def _finite(value: object) -> float | None:
    """Return `value` as a float if it is a number, neither infinite nor a truth value."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    number = float(value)
    return number if abs(number) < float("inf") else None


def probability(name: str, value: object) -> float:
    return float(probabilities(name, [value], (1,))[0])


def probabilities(
    name: str, values: ArrayLike | Iterable[Any], shape: tuple[int | None, ...] = (None,)
) -> NDArray[np.float64]:
    """Return `values` as a read-only float array of numbers in [0, 1]; None is any size >= 1."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be numbers in [0, 1], got {values!r}") from None
    wanted = " x ".join("n" if size is None else str(size) for size in shape)
    fits = array.ndim == len(shape) and all(
        size in (None, actual) for size, actual in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise ArgumentError(f"{name} must have shape {wanted}, got shape {array.shape}")
    if array.size == 0:
        raise ArgumentError(f"{name} must not be empty, got shape {array.shape}")
    wrong = np.argwhere(~((array >= 0) & (array <= 1)))
    if wrong.size:
        place = tuple(int(i) for i in wrong[0])
        where = name if shape == (1,) else name + "".join(f"[{i}]" for i in place)
        raise ArgumentError(f"{where} must be in [0, 1], got {array[place]:g}")
    array.flags.writeable = False
    return array


def permutation(name: str, values: object, n: int) -> list[int]:
    """Return `values` as a list that has each of 0..n-1 once."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        values = list(values)
        numbers = [number for value in values if (number := _whole(value)) is not None]
        if len(numbers) == len(values) and sorted(numbers) == list(range(n)):
            return numbers
    raise ArgumentError(f"{name} must be a permutation of 0..{n - 1}, got {values!r}")


def item_ids(items: object, name: str = "items") -> tuple[int | str, ...]:
    """Return the ids of `items`: a count n gives 0..n-1, a list gives itself, all different."""
    if _whole(items) is not None:
        return tuple(range(integer(name, items, 1)))
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        raise ArgumentError(f"{name} must be a count or a list of ids, got {items!r}")
    if isinstance(items, Set) and not isinstance(items, KeysView):
        raise ArgumentError(
            f"{name} must have an order, which a set has not: pass sorted({name}), "
            f"got {items!r:.60}"
        )
    ids = tuple(_item_id(item, name) for item in items)
    if not ids:
        raise ArgumentError(f"{name} must not be empty, got []")
    if len(set(ids)) < len(ids):
        twice = next(item for item in ids if ids.count(item) > 1)
        raise ArgumentError(f"{name} must be unique, got {twice!r} twice")
    return ids


def _item_id(item: object, name: str) -> int | str:
    if isinstance(item, str):
        if any("\ud800" <= letter <= "\udfff" for letter in item):  # could not be saved
            raise ArgumentError(f"{name} must be Unicode text, got {item!r}")
        return str(item)
    number = _whole(item)
    if number is None:
        raise ArgumentError(f"{name} must be strings or integers, got {item!r}")
    return integer(name, number, -(2**63), 2**63 - 1)
