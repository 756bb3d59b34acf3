import numpy as np
import pytest
from numpy.typing import NDArray

from tests.logs.estimators.agreement import statistics_of
from unirank.errors import ArgumentError
from unirank.logs.estimators.base import climb, registry, table_of, ways_of
from unirank.logs.statistics import QueryStatistics, Shown
from unirank.policies.kernels.compiling import bind, compiled
from unirank.users import registry as click_models

Floats = NDArray[np.float64]


def test_every_estimator_names_a_click_model_a_table_and_its_ways() -> None:
    assert registry.names() == ["ccm", "cm", "dbn", "dcm", "pbm", "sdbn", "ubm"]
    for entry in registry:
        assert entry.facts["click_model"] in click_models.names()
        assert entry.facts["table"] in QueryStatistics._fields
        assert set(ways_of(entry.cls)) <= {"closed form", "em", "ascent"}
        assert entry.summary


def test_a_missing_table_is_named() -> None:
    with pytest.raises(ArgumentError, match=r"table 'chains' for 'dbn', got none for query 'q'"):
        table_of(statistics_of(1)._replace(chains=None), registry["dbn"])


def test_more_clicks_than_impressions_are_refused() -> None:
    shown = Shown(*(np.array(column) for column in ([0, 1], [0, 1], [5, 7], [5, 8])))
    statistics = QueryStatistics("q", ("a", "b"), 2, 0, shown)
    with pytest.raises(ArgumentError, match=r"'shown' must be at most .* got 8 of 7 for item 'b'"):
        table_of(statistics, registry["pbm"])


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
