"""Python values survive as plain data exactly, and nothing else comes back."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank import ArgumentError
from unirank.policies.base.plain_data import from_plain, to_plain

simple = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text()
)
keys = st.integers(-9, 9) | st.text(max_size=2) | st.tuples(st.integers(0, 3), st.integers(0, 3))
values = st.recursive(
    simple,
    lambda parts: st.lists(parts) | st.dictionaries(keys, parts) | st.tuples(parts, parts),
    max_leaves=8,
)


def returned(value: Any) -> Any:
    return from_plain("x", msgspec.msgpack.decode(msgspec.msgpack.encode(to_plain("x", value))))


@given(values | st.sets(keys) | st.frozensets(keys))
def test_values_come_back_equal_and_of_the_same_type(value: Any) -> None:
    assert returned(value) == value
    assert type(returned(value)) is type(value)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.bool_, np.uint8])
@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3)])
def test_arrays_come_back_equal(dtype: Any, shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    found = returned([array])[0]
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert (found == array).all()
    assert found.flags.writeable


@pytest.mark.parametrize("value", [object(), lambda: 0, {1: object()}, np.array([None]), np.dtype])
def test_what_is_no_plain_data_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^clicked must be numbers, texts, numpy arrays"):
        to_plain("clicked", value)


@pytest.mark.parametrize(
    "data",
    [
        [],
        ["object", 1],
        ["dict", 1],
        ["array", "<i8", [2], b"12345678"],
        ["array", "|O", [1], b"12345678"],
        ["array", "<i8", [1]],
    ],
)
def test_forged_data_is_refused(data: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^clicked is not plain data"):
        from_plain("clicked", data)
