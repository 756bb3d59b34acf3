import numpy as np
import pytest
from numpy.typing import NDArray

from unirank.kernels.compiling import bind, compiled
from unirank.logs.estimators.climbing import climb, improve, value

Floats = NDArray[np.float64]


@compiled
def height(state: Floats) -> float:
    return -1.0 - state[0]


@compiled
def halve(state: Floats) -> None:
    state[0] *= 0.5


def climbed(steps: int, tolerance: float) -> tuple[int, list[float], float]:
    state, values = np.ones(1), np.full(steps + 1, np.nan)
    made = bind(climb, "halve", value=height, improve=halve)(state, values, tolerance)
    return made, values[: abs(made) + 1].tolist(), state[0]


def test_a_climb_stops_where_a_step_gains_too_little() -> None:
    # Gains 1/2, 1/4, 1/8, at heights -1.5, -1.25, -1.125: the third is at most 0.12 of the height.
    assert climbed(10, 0.12) == (3, [-2.0, -1.5, -1.25, -1.125], 0.125)


def test_a_climb_that_runs_out_of_steps_says_so() -> None:
    assert climbed(2, 0.12) == (-2, [-2.0, -1.5, -1.25], 0.25)


def test_no_steps_is_the_start() -> None:
    assert climbed(0, 0.12) == (0, [-2.0], 1.0)


def test_an_unbound_climb_says_so() -> None:
    for placeholder in (value, improve):
        with pytest.raises(AssertionError, match="climb must be bound to an estimator"):
            placeholder(None)
