"""Draws and mass of the truncated normal: beside the plain edition and scipy, and at extremes."""

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from unirank.policies.kernels.truncated_normal import draw_around, mass_inside
from unirank.policies.plain import truncated_normal as plain

within = st.floats(0, 1)
chances = st.integers(1, 2**53 - 1).map(lambda bits: bits * 2.0**-53)
widths = st.floats(-12, 9).map(lambda exponent: 10.0**exponent)


def drawn_with_mass(x: float, sigma: float, u: float) -> tuple[float, float]:
    """One draw around x, and the mass that it reports."""
    drawn, mass = np.array([u]), np.zeros(1)
    draw_around(np.array([x]), 1, sigma, drawn, mass, np.zeros(1))
    return float(drawn[0]), float(mass[0])


@given(within, widths, chances)
def test_draws_and_masses_equal_those_of_the_plain_edition(
    x: float, sigma: float, u: float
) -> None:
    drawn, mass = drawn_with_mass(x, sigma, u)
    assert drawn == pytest.approx(plain.draw(x, sigma, u), abs=1e-12)
    assert mass == pytest.approx(plain.mass(x, sigma), rel=1e-13)
    assert mass_inside(x, 1 / sigma) == mass


@given(st.lists(st.tuples(within, chances), min_size=2, max_size=9), widths, st.integers(1, 9))
def test_each_of_many_is_drawn_as_if_alone(
    pairs: list[tuple[float, float]], sigma: float, n_drawn: int
) -> None:
    x, u = (np.array(column) for column in zip(*pairs, strict=True))
    drawn, mass = u.copy(), np.zeros(len(pairs))
    n_drawn = min(n_drawn, len(pairs))
    draw_around(x, n_drawn, sigma, drawn, mass, np.zeros(len(pairs)))
    for n in range(len(pairs)):
        alone, inside = drawn_with_mass(x[n], sigma, u[n]) if n < n_drawn else (u[n], 0.0)
        assert drawn[n] == pytest.approx(alone, abs=1e-15)
        assert mass[n] == inside


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0, 20.0])
@pytest.mark.parametrize("x", [0.0, 0.004, 0.5, 0.9, 1.0])
def test_draws_and_masses_are_those_of_scipy(x: float, sigma: float) -> None:
    normal = stats.truncnorm(-x / sigma, (1 - x) / sigma, loc=x, scale=sigma)
    for u in [0.0, 1e-12, 1e-4, 0.1, 0.5, 0.77, 0.999]:
        assert drawn_with_mass(x, sigma, u)[0] == pytest.approx(normal.ppf(u), abs=1e-9)
    inside = stats.norm.cdf((1 - x) / sigma) - stats.norm.cdf(-x / sigma)
    assert mass_inside(x, 1 / sigma) == pytest.approx(inside, rel=1e-11)


@given(within, chances)
def test_a_very_wide_normal_is_uniform(x: float, u: float) -> None:
    assert drawn_with_mass(x, 1e3, u)[0] == pytest.approx(u, abs=1e-6)
    assert drawn_with_mass(x, 1e9, u)[0] == pytest.approx(u, abs=1e-15)


@given(within, within)
def test_a_very_wide_normal_has_the_same_mass_everywhere(x: float, other: float) -> None:
    assert abs(log(mass_inside(x, 1e-3) / mass_inside(other, 1e-3))) < 1e-6
    assert abs(log(mass_inside(x, 1e-9) / mass_inside(other, 1e-9))) < 1e-15


@given(within, widths)
def test_no_place_has_twice_the_mass_of_another(x: float, sigma: float) -> None:
    middle, end = mass_inside(0.5, 1 / sigma), mass_inside(0.0, 1 / sigma)
    assert end * (1 - 1e-15) <= mass_inside(x, 1 / sigma) <= middle * (1 + 1e-15)
    assert middle <= 2 * end


@given(within, widths, st.lists(chances, min_size=2, max_size=10))
def test_draws_stay_inside_and_grow_with_their_chance(
    x: float, sigma: float, us: list[float]
) -> None:
    values = [drawn_with_mass(x, sigma, u)[0] for u in sorted(us)]
    assert all(0 <= value <= 1 for value in values)
    assert all(b >= a - 1e-14 for a, b in pairwise(values))


@pytest.mark.parametrize("x", [0.0, 1e-300, 0.5, 1.0])
@pytest.mark.parametrize("sigma", [1e-12, 1e9])
@pytest.mark.parametrize("u", [0.0, 2.0**-53, 1 - 2.0**-53])
def test_the_extremes_are_numbers(x: float, sigma: float, u: float) -> None:
    drawn, mass = drawn_with_mass(x, sigma, u)
    assert 0 <= drawn <= 1
    assert 0 < mass <= 1
