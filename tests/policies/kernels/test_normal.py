"""The standard normal distribution beside the standard library, where its digits are few."""

from math import erf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.kernels.normal import (
    CENTRE,
    FAR,
    half_cdf,
    inverse_half_cdf,
    inverse_upper_tail,
    upper_tail,
)


@given(st.one_of(st.floats(0, 10), st.floats(-300, 0).map(lambda exponent: 10.0**exponent)))
def test_half_cdf_is_half_an_error_function_to_the_last_digits(z: float) -> None:
    assert half_cdf(z) == pytest.approx(erf(z / sqrt(2)) / 2, rel=1e-15, abs=0)


@pytest.mark.parametrize("z", [FAR, np.nextafter(FAR, 0), 1e12, np.inf, np.nan])
def test_half_cdf_ends_at_one_half(z: float) -> None:
    assert half_cdf(z) == 0.5


@given(st.floats(1e-12, CENTRE), st.sampled_from([-1, 1]))
def test_the_inverse_of_the_middle_has_all_its_digits(size: float, sign: int) -> None:
    z = inverse_half_cdf(sign * size)
    assert sign * half_cdf(sign * z) == pytest.approx(sign * size, rel=2e-15)


@given(st.floats(-290, np.log10(0.5 - CENTRE)))
def test_the_inverse_of_a_tail_is_that_of_the_standard_library(exponent: float) -> None:
    tail = 10.0**exponent
    z = inverse_upper_tail(tail)
    assert z == pytest.approx(-NormalDist().inv_cdf(tail), rel=1e-14)
    assert log(upper_tail(z)) == pytest.approx(log(tail), rel=1e-13)


def test_middle_and_tails_meet() -> None:
    assert inverse_half_cdf(CENTRE) == pytest.approx(inverse_upper_tail(0.5 - CENTRE), rel=1e-14)
    far = np.exp(-25.0)
    assert inverse_upper_tail(far * (1 + 1e-13)) == pytest.approx(
        inverse_upper_tail(far * (1 - 1e-13)), rel=1e-13
    )


def test_the_inverse_of_no_tail_at_all_is_a_number() -> None:
    assert 37 < inverse_upper_tail(0.0) < 38
