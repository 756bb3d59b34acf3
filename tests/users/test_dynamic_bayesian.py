from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import click_models as twins
from tests.users.agreement import (
    ROUNDING,
    probabilities,
    probability,
    shortfall,
)
from unirank.errors import ArgumentError
from unirank.users import DBN

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
SATISFACTION = [0.8, 0.5, 0.1, 0.0, 0.6, 0.3]
MODEL, TWIN = DBN(ATTRACTION, SATISFACTION, 0.2), twins.DBN(ATTRACTION, SATISFACTION, 0.2)
RANKING = [0, 2, 4, 3]


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
