"""Beta numbers: those of the plain edition, well distributed, and soon accepted."""

from math import e, exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from unirank.policies.base.round_rng import Draws
from unirank.policies.kernels.beta import MOST_ATTEMPTS, beta, spread_of
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.plain.beta import beta as plain_beta

SIGNIFICANCE = 1e-4
N_NUMBERS = 50_000
SHAPES = [
    (1.0, 1.0),
    (1.0, 40.0),
    (40.0, 1.0),
    (1.0, 1e6),
    (1.0 + 1e-13, 1.0),
    (1.5, 1.0),
    (2.0, 2.0),
    (3.5, 1.7),
    (1.2, 900.4),
    (200.0, 200.0),
    (90.0, 1.3e5),
    (3e5, 7e5),
    (1e6, 2.0),
    (1e12, 3e12),
]
shapes = st.one_of(
    st.just(1.0), st.floats(1.0, 3.0), st.floats(1.0, 1e4), st.integers(1, 10**7).map(float)
)


@compiled
def draw_often(key: np.uint64, a: float, b: float, numbers: NDArray[np.float64]) -> None:
    for n in range(numbers.size):
        numbers[n] = beta(at_round(key, n), 7, a, b)


def drawn(a: float, b: float, seed: int = 3) -> NDArray[np.float64]:
    numbers = np.empty(N_NUMBERS)
    draw_often(np.uint64(stream_key(seed, 0, POLICY)), a, b, numbers)
    return numbers


@given(st.integers(0, 2**62), st.integers(1, 2**40 - 1), st.integers(0, 2**24 - 1), shapes, shapes)
def test_numbers_are_those_of_the_plain_edition(
    seed: int, round_: int, draw: int, a: float, b: float
) -> None:
    expected = plain_beta(Draws(address(seed, 0, POLICY, round_)), draw, a, b)
    assert beta(address(seed, 0, POLICY, round_), draw, a, b) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("a", "b"), [s for s in SHAPES if s[0] != 1.0 + 1e-13])
def test_numbers_are_those_of_the_plain_edition_at_every_shape(a: float, b: float) -> None:
    expected = [plain_beta(Draws(address(3, 0, POLICY, n)), 7, a, b) for n in range(500)]
    np.testing.assert_allclose(drawn(a, b)[:500], expected, rtol=1e-9)


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_numbers_are_beta(a: float, b: float) -> None:
    numbers = drawn(a, b)
    if a < 1e9:
        chance = stats.kstest(numbers, stats.beta(a, b).cdf).pvalue
    else:  # so narrow that it is normal
        mean, deviation = a / (a + b), np.sqrt(a * b / (a + b) ** 3)
        chance = stats.kstest((numbers - mean) / deviation, stats.norm.cdf).pvalue
    assert SIGNIFICANCE < chance < 1 - SIGNIFICANCE


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (1.0, 1e18), (1e18, 1.0), (1e18, 1e18)])
def test_numbers_of_extreme_shapes_are_numbers(a: float, b: float) -> None:
    numbers = drawn(a, b)
    assert (numbers >= 0).all()
    assert (numbers <= 1).all()
    assert numbers.mean() == pytest.approx(a / (a + b), rel=0.05)


@pytest.mark.parametrize("a", [1.0, 1.0 + 1e-12, 1.1, 2.0, 10.0, 1e3, 1e5])
@pytest.mark.parametrize("b", [1.0, 1.0 + 1e-12, 1.1, 2.0, 10.0, 1e3, 1e5])
def test_at_least_e_quarters_of_the_attempts_are_accepted(a: float, b: float) -> None:
    # Their mean number is 4 a^a b^b / (spread B(a, b) (a+b)^(a+b)).
    log_b = lgamma(a) + lgamma(b) - lgamma(a + b)
    power = a * log(a / (a + b)) + b * log(b / (a + b))
    attempts = 4 * exp(power - log_b) / spread_of(min(a, b), max(a, b))
    assert attempts <= (4 / e) * (1 + 1e-9)


def test_the_last_attempt_is_out_of_reach() -> None:
    assert (1 - e / 4) ** MOST_ATTEMPTS < 1e-31
