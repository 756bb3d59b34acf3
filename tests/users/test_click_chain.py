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
from unirank.users import CCM

SETTINGS = ([0.3, 0.0, 0.5, 0.15, 0.7, 1.0], 0.8, 0.9, 0.4)
MODEL, TWIN = CCM(*SETTINGS), twins.CCM(*SETTINGS)
RANKING = [0, 2, 4, 3]


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
