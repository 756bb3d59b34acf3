from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.click_models.agreement import (
    MOST_Z,
    ROUNDING,
    SIGNIFICANCE,
    disagreements,
    largest_error,
    largest_error_of_value,
    largest_z,
    p_value_of_joint_law,
    probabilities,
    probability,
    shortfall,
)
from tests.reference import click_models as twins
from unirank.click_models import CCM
from unirank.errors import ArgumentError

SETTINGS = ([0.3, 0.0, 0.5, 0.15, 0.7, 1.0], 0.8, 0.9, 0.4)
MODEL, TWIN = CCM(*SETTINGS), twins.CCM(*SETTINGS)
RANKING = [0, 2, 4, 3]


def test_clicks_are_those_of_the_twin() -> None:
    assert disagreements(MODEL, TWIN) == []


def test_expected_clicks_are_those_of_the_twin() -> None:
    assert largest_error(MODEL, TWIN) < ROUNDING


def test_the_value_is_the_sum_of_the_expected_clicks() -> None:
    assert largest_error_of_value(MODEL) < ROUNDING


def test_users_click_as_often_as_expected() -> None:
    assert largest_z(MODEL, RANKING) < MOST_Z


def test_clicks_have_the_joint_law_of_the_twin() -> None:
    assert p_value_of_joint_law(MODEL, TWIN, RANKING) > SIGNIFICANCE


@given(probabilities(5), probability, probability, probability, st.integers(1, 5))
def test_the_best_ranking_is_the_best_of_all(
    attraction: list[float], none: float, not_relevant: float, relevant: float, n_positions: int
) -> None:
    settings = (attraction, none, not_relevant, relevant)
    assert shortfall(CCM(*settings), twins.CCM(*settings), n_positions) < ROUNDING


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (([0.1], 2, 0, 0), "continue_no_click must be in [0, 1], got 2"),
        (([0.1], 0, -1, 0), "continue_click_not_relevant must be in [0, 1], got -1"),
        (([0.1], 0, 0, 1.5), "continue_click_relevant must be in [0, 1], got 1.5"),
    ],
)
def test_an_error_names_the_argument_the_rule_and_the_value(settings: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        CCM(*settings)
    assert str(caught.value) == sentence
