"""Checks of arguments; each error names the argument, the rule and the value."""

import operator
import os
from collections.abc import Callable, Iterable, KeysView, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unirank.errors import ArgumentError, UnknownNameError

LARGEST = LARGEST_SEED = 2**63 - 1
LONGEST = 200  # letters of a value in a message
MOST_ELEMENTS = 10**7  # of a list: more items than any policy can rank


def shown(value: object, longest: int = LONGEST) -> str:
    """`value` for a message, not too long; Python refuses to write very large integers."""
    try:
        text = repr(value)
    except Exception:  # whatever a __repr__ of others does
        text = f"a value of type {type(value).__name__}"
    if len(text) <= longest:
        return text
    if isinstance(value, str):
        return f"{text[:longest]}{text[0]}... ({len(value)} letters)"
    return f"{text[:longest]}..."


def integer(name: str, value: object, low: int, high: int | None = None, note: str = "") -> int:
    """Return `value` as an int in low..high; `note` explains where `high` comes from.

    Without `high`, it must be one that a file can hold.
    """
    number = _whole(value)
    if number is None or not low <= number <= (LARGEST if high is None else high):
        rule = f">= {low}" if high is None else f"in {low}..{note}{high}"
        if high is None and number is not None and number > LARGEST:
            rule = "below 2**63"
        kind = "an integer " if number is None else ""
        raise ArgumentError(f"{name} must be {kind}{rule}, got {shown(value)}")
    return number


def _whole(value: object) -> int | None:
    """Return `value` as an int if it is a whole number of any library, but not a truth value."""
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_ | np.ndarray):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_list(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether `value` is a list of values; strings and 0-d arrays are single values."""
    if isinstance(value, str | bytes):
        return False
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def seed(value: object) -> int:
    return integer("seed", value, 0, LARGEST_SEED)


def horizon(name: str, value: object) -> int:
    """Return `value` as a number of rounds to come; far longer than any game is allowed."""
    return integer(name, value, 1, 2**60)


def whole_number(name: str, value: object) -> int:
    number = _whole(value)
    if number is None:
        raise ArgumentError(f"{name} must be an integer, got {shown(value)}")
    return integer(name, number, -(2**63), 2**63 - 1)


def truth(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{name} must be a text, got {shown(value)}")
    return str(value)


def size_of(value: object) -> int:
    """Return the number of elements; 0 if it is known only after they were counted."""
    try:
        return len(value)  # type: ignore[arg-type]
    except TypeError:
        return 0


def _check_size(name: str, value: object) -> None:
    """Raise ArgumentError before a list takes memory that nothing could use."""
    if size_of(value) > MOST_ELEMENTS:
        raise ArgumentError(f"{name} must have at most {MOST_ELEMENTS:,}, got {size_of(value):,}")


def path(name: str, value: object) -> Path:
    """Return `value` as a path; numbers, which `open` takes for open files, are none."""
    if isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str):
        return Path(value)
    raise ArgumentError(f"{name} must be a path, got {shown(value)}")


def plain_list(name: str, value: object) -> list[Any]:
    """Return a list, tuple or array as a list of plain numbers, texts and lists."""
    if isinstance(value, Mapping) or not is_list(value):
        raise ArgumentError(f"{name} must be a list, got {shown(value)}")
    _check_size(name, value)
    return [item.tolist() if isinstance(item, np.ndarray | np.generic) else item for item in value]


def choice(name: str, value: object, known: Sequence[Any]) -> Any:
    """Return `value` if it is one of `known`, else say which was probably meant."""
    if isinstance(value, np.ndarray) or value not in known:
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
        raise ArgumentError(f"{name} must be {rule}, got {shown(value)}")
    return found


def _finite(value: object) -> float | None:
    """Return `value` as a float if it is a number, neither infinite nor a truth value."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def probability(name: str, value: object) -> float:
    if is_list(value):
        raise ArgumentError(f"{name} must be a number in [0, 1], got {shown(value)}")
    return float(probabilities(name, [value], (1,))[0])


def probabilities(
    name: str, values: ArrayLike | Iterable[Any], shape: tuple[int | None, ...] = (None,)
) -> NDArray[np.float64]:
    """Return `values` as a read-only float array of numbers in [0, 1]; None is any size >= 1."""
    return _array(name, values, shape, " in [0, 1]", lambda array: (array >= 0) & (array <= 1))


def numbers(
    name: str, values: ArrayLike | Iterable[Any], shape: tuple[int | None, ...] = (None,)
) -> NDArray[np.float64]:
    """Return `values` as a read-only float array, not infinite; None is any size >= 1."""
    return _array(name, values, shape, "", np.isfinite)


def _array(
    name: str,
    values: ArrayLike | Iterable[Any],
    shape: tuple[int | None, ...],
    bounds: str,
    allows: Callable[[NDArray[np.float64]], NDArray[np.bool_]],
) -> NDArray[np.float64]:
    _check_size(name, values)
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} must be numbers{bounds}, got {shown(values)}") from None
    wanted = " x ".join("n" if size is None else str(size) for size in shape)
    fits = array.ndim == len(shape) and all(
        size in (None, actual) for size, actual in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise ArgumentError(f"{name} must have shape {wanted}, got shape {array.shape}")
    if array.size == 0:
        raise ArgumentError(f"{name} must not be empty, got shape {array.shape}")
    wrong = np.argwhere(~allows(array))
    if wrong.size:
        place = tuple(int(i) for i in wrong[0])
        where = name if shape == (1,) else name + "".join(f"[{i}]" for i in place)
        raise ArgumentError(f"{where} must be{bounds or ' a number'}, got {array[place]:g}")
    array.flags.writeable = False
    return array


def permutation(name: str, values: object, n: int) -> list[int]:
    """Return `values` as a list that has each of 0..n-1 once."""
    if is_list(values) and size_of(values) in (0, n):
        values = list(values)
        numbers = [number for value in values if (number := _whole(value)) is not None]
        if len(numbers) == len(values) and sorted(numbers) == list(range(n)):
            return numbers
    raise ArgumentError(f"{name} must be a permutation of 0..{n - 1}, got {shown(values)}")


def item_ids(items: object, name: str = "items") -> tuple[int | str, ...]:
    """Return the ids of `items`: a count n gives 0..n-1, a list gives itself, all different."""
    if _whole(items) is not None:
        return tuple(range(integer(name, items, 1)))
    if not is_list(items):
        raise ArgumentError(f"{name} must be a count or a list of ids, got {shown(items)}")
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
            raise ArgumentError(f"{name} must be Unicode text, got {shown(item)}")
        return str(item)
    number = _whole(item)
    if number is None:
        raise ArgumentError(f"{name} must be strings or integers, got {shown(item)}")
    return integer(name, number, -(2**63), 2**63 - 1)
