"""Python values as plain data that a state file can hold, and back, exactly.

Numbers, texts, None and truth values stay what they are. Everything else becomes a list that starts
with its type: ["tuple", ...], ["list", ...], ["set", ...], ["dict", key, value, ...] and
["array", dtype, shape, bytes]. Nothing is ever executed on the way back.
"""

from itertools import chain
from math import prod
from typing import Any

import numpy as np

from unirank.errors import ArgumentError

CONTAINERS = {"tuple": tuple, "list": list, "set": set, "frozenset": frozenset}


def to_plain(name: str, value: object) -> Any:
    """Return `value` as plain data; an ArgumentError names the attribute that cannot be saved."""
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return ["array", value.dtype.str, list(value.shape), value.tobytes()]
    kind = type(value).__name__
    if isinstance(value, dict) and kind == "dict":
        return ["dict", *(to_plain(name, part) for part in chain(*value.items()))]
    if isinstance(value, tuple | list | set | frozenset) and kind in CONTAINERS:
        return [kind, *(to_plain(name, part) for part in value)]
    raise ArgumentError(
        f"{name} must be numbers, texts, numpy arrays of numbers, or lists, tuples, sets and dicts "
        f"of these to be saved, got {type(value).__name__}"
    )


def from_plain(name: str, data: Any) -> Any:
    """Inverse of `to_plain`; an ArgumentError says what is not plain data."""
    if not isinstance(data, list):
        return data
    kind, *parts = data or [""]
    if kind == "array" and len(parts) == 3:
        dtype, shape, content = parts
        if np.dtype(dtype).kind in "biuf" and prod(shape) * np.dtype(dtype).itemsize == len(
            content
        ):
            return np.frombuffer(content, dtype).reshape(shape).copy()
    elif kind == "dict" and len(parts) % 2 == 0:
        values = [from_plain(name, part) for part in parts]
        return dict(zip(values[::2], values[1::2], strict=True))
    elif kind in CONTAINERS:
        return CONTAINERS[kind](from_plain(name, part) for part in parts)
    raise ArgumentError(f"{name} is not plain data: {str(data)[:60]}")
