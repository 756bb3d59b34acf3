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
from unirank.click_models import DBN
from unirank.errors import ArgumentError

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
SATISFACTION = [0.8, 0.5, 0.1, 0.0, 0.6, 0.3]
MODEL, TWIN = DBN(ATTRACTION, SATISFACTION, 0.2), twins.DBN(ATTRACTION, SATISFACTION, 0.2)
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


@given(probabilities(5), probabilities(5), probability, st.integers(1, 5))
def test_the_best_ranking_is_the_best_of_all(
    attraction: list[float], satisfaction: list[float], abandon: float, n_positions: int
) -> None:
    settings = (attraction, satisfaction, abandon)
    assert shortfall(DBN(*settings), twins.DBN(*settings), n_positions) < ROUNDING


def test_users_who_never_go_on_see_the_most_attractive_item_first() -> None:
    assert DBN([0.2, 0.3], [0.5, 0.5], abandon=1.0).best_ranking(2) == (1, 0)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (([0.1, 0.2], [0.5], 0.1), "satisfaction must have shape 2, got shape (1,)"),
        (([0.1, 0.2], [0.5, 2], 0.1), "satisfaction[1] must be in [0, 1], got 2"),
        (([0.1], [0.5], -0.1), "abandon must be in [0, 1], got -0.1"),
        (([0.1], [0.5], None), "abandon must be in [0, 1], got nan"),
    ],
)
def test_an_error_names_the_argument_the_rule_and_the_value(settings: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        DBN(*settings)
    assert str(caught.value) == sentence
