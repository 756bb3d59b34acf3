from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import click_models as twins
from tests.users.agreement import (
    ROUNDING,
    probabilities,
    shortfall,
)
from unirank.errors import ArgumentError
from unirank.users import UBM

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
SQUARE = [[0.0, 0.1, 0.2, 0.9], [0.8, 0.3, 0.4, 0.6], [0.5, 0.9, 0.6, 0.4], [0.2, 0.7, 1.0, 0.3]]
WIDE = [[0.2, 0.3, 0.4, 0.5, 0.9], [0.8, 0.3, 0.4, 0.5, 0.6], [0.5, 0.9, 0.6, 0.1, 0.4]]
PAIRS = {
    name: (UBM(ATTRACTION, table), twins.UBM(ATTRACTION, table))
    for name, table in (("square", SQUARE), ("wide", WIDE))
}
RANKING = [0, 2, 4]


@given(probabilities(5), probabilities(16), st.integers(1, 4))
def test_the_best_ranking_is_the_best_of_all(
    attraction: list[float], entries: list[float], n_positions: int
) -> None:
    table = [entries[4 * k : 4 * k + 4] for k in range(4)]
    model, twin = UBM(attraction, table), twins.UBM(attraction, table)
    assert shortfall(model, twin, n_positions) < ROUNDING


def test_the_first_position_is_seen_as_after_no_click() -> None:
    assert UBM([1.0], [[0.25]]).expected_clicks([0]).tolist() == [0.25]
    assert UBM([1.0], [[0.25, 0.75]]).expected_clicks([0]).tolist() == [0.75]


NAME = "examination_by_rank_and_last_click"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([0.5], f"{NAME} must have shape n x n, got shape (1,)"),
        ([[0.5, 2]], f"{NAME}[0][1] must be in [0, 1], got 2"),
        ([[0.5], [0.5, 0.1]], f"{NAME} must be numbers in [0, 1], got [[0.5], [0.5, 0.1]]"),
        (
            [[0.5], [0.5]],
            f"{NAME} must have a column per earlier position and one for no click, 2 x 2, "
            "got shape (2, 1)",
        ),
    ],
)
def test_an_error_names_the_table_the_rule_and_the_value(table: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        UBM([0.1, 0.2], table)
    assert str(caught.value) == sentence
