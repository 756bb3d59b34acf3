"""The inline logarithm beside the standard library's."""

from math import inf, log, nextafter, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.kernels.logarithm import inline_log


@given(st.floats(2.3e-308, 1e308))
def test_it_is_that_of_the_standard_library(x: float) -> None:
    assert inline_log(x) == pytest.approx(log(x), rel=1e-15, abs=5e-16)


@pytest.mark.parametrize("x", [sqrt(0.5), 1.0, sqrt(2.0), 2.0, 4.0])
def test_it_is_where_the_exponent_changes(x: float) -> None:
    for near in (nextafter(x, 0.0), x, nextafter(x, inf)):
        assert inline_log(near) == pytest.approx(log(near), rel=1e-15, abs=5e-16)


def test_the_logarithm_of_one_is_zero() -> None:
    assert inline_log(1.0) == 0.0
