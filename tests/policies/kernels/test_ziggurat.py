"""Normal numbers by the ziggurat: those of the plain edition, and normal to the tail."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from unirank.policies.base.round_rng import Draws
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.kernels.ziggurat import EDGE, HEIGHT, START, normal
from unirank.policies.plain.normal import normal as plain_normal

N_NUMBERS = 2_000_000
SIGNIFICANCE = 1e-4


@compiled
def draw_often(key: np.uint64, numbers: NDArray[np.float64]) -> None:
    for n in range(numbers.size):
        numbers[n] = normal(at_round(key, n), 7)


@pytest.fixture(scope="module")
def numbers() -> NDArray[np.float64]:
    drawn = np.empty(N_NUMBERS)
    draw_often(stream_key(3, 0, POLICY), drawn)
    return drawn


@given(st.integers(0, 2**62), st.integers(1, 2**40 - 1), st.integers(0, 2**24 - 1))
def test_numbers_are_those_of_the_plain_edition(seed: int, round_: int, draw: int) -> None:
    rng = address(seed, 0, POLICY, round_)
    assert normal(rng, draw) == pytest.approx(plain_normal(Draws(rng), draw), rel=1e-12)


def test_numbers_of_the_tail_are_those_of_the_plain_edition(numbers: NDArray[np.float64]) -> None:
    for n in np.flatnonzero(np.abs(numbers) > START).tolist()[:50]:
        expected = plain_normal(Draws(address(3, 0, POLICY, n)), 7)
        assert numbers[n] == pytest.approx(expected, rel=1e-12)


def test_numbers_are_normal(numbers: NDArray[np.float64]) -> None:
    assert stats.kstest(numbers, "norm").pvalue > SIGNIFICANCE


@pytest.mark.parametrize("z", [-4.5, -START, -2.0, 0.5, 3.0, START, 4.0])
def test_tails_have_their_probability(numbers: NDArray[np.float64], z: float) -> None:
    expected = stats.norm.sf(abs(z))
    found = int((numbers * np.sign(z) > abs(z)).sum())
    assert stats.binomtest(found, N_NUMBERS, expected).pvalue > SIGNIFICANCE


def test_layers_have_equal_areas() -> None:
    areas = EDGE[1:-1] * np.diff(HEIGHT[1:])
    np.testing.assert_allclose(areas, EDGE[0] * HEIGHT[1], rtol=1e-9)
