"""The bound of what a proposal gains is never below the gain, and close to it for small steps."""

from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.pb_mhb.likelihood import Side, gained, most_gained, most_log_ratio
from unirank.policies.pb_mhb.state import WINDOW

inner = st.floats(0.001, 0.999)
counts = st.integers(0, 10**6)


def side_of(x: float, y: list[float], clicks: int, refused: list[int]) -> Side:
    """One coordinate, with its counts."""
    return Side(
        x=np.array([x]),
        first=0,
        y=np.array(y),
        clicks=np.array([clicks + 0.5 * len(y)]),
        refused=np.array([refused]) + 0.5,
        windows=np.zeros(1, WINDOW),
    )


@given(inner, inner, counts, counts)
def test_the_gain_of_a_proposal_is_that_of_the_likelihood(
    x: float, new: float, clicks: int, refused: int
) -> None:
    def likelihood(theta: float) -> float:
        seen = clicks * log(theta) + refused * log(1 - 0.7 * theta)
        return seen + 0.5 * log(1 - 0.7 * theta) + 0.5 * log(theta)

    gain = gained(side_of(x, [0.7], clicks, [refused]), 0, new)
    difference = likelihood(new) - likelihood(x)
    assert abs(gain - difference) <= 1e-9 * (1 + abs(likelihood(x)) + abs(likelihood(new)))


@given(inner, inner, counts, st.lists(counts, min_size=3, max_size=3))
def test_the_bound_is_at_least_the_gain(
    x: float, new: float, clicks: int, refused: list[int]
) -> None:
    side = side_of(x, [1.0, 0.6, 0.3], clicks, refused)
    gain = gained(side, 0, new)
    assert most_gained(side, 0, new) >= gain - 1e-9 * (1 + abs(gain))


@given(st.floats(1e-16, 1), st.floats(1e-16, 1))
def test_the_bound_is_at_least_the_logarithm(a: float, b: float) -> None:
    assert most_log_ratio(a, b) >= log(b / a) - 1e-12


@given(st.floats(0.01, 1), st.floats(-0.1, 0.1))
def test_the_bound_is_tight_where_it_matters(a: float, change: float) -> None:
    excess = most_log_ratio(a, a * (1 + change)) - log(1 + change)
    assert excess <= change**4 / 20 + 1e-12
