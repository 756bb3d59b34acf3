"""half_life=: how many rounds, and which policies."""

from typing import Any

import pytest

from unirank.errors import ArgumentError
from unirank.policies.base.half_life import checked_half_life


@pytest.mark.parametrize("value", [None, 1, 1.5, 50_000])
def test_a_half_life_is_a_number_of_rounds(value: Any) -> None:
    assert checked_half_life(value) == value


@pytest.mark.parametrize("value", [0, 0.5, -1, 1e16, float("inf"), float("nan"), "long", True])
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^half_life must be [^\n]*, got [^\n]*$"):
        checked_half_life(value)
