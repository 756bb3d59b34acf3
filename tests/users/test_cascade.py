from hypothesis import given
from hypothesis import strategies as st

from tests.reference import click_models as twins
from tests.users.agreement import (
    ROUNDING,
    largest_error,
    pattern_counts,
    patterns_of,
    probabilities,
    shortfall,
)
from unirank.users import CM

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
MODEL, TWIN = CM(ATTRACTION), twins.CM(ATTRACTION)
RANKING = [0, 2, 3, 4]


def test_expected_clicks_have_the_closed_form_of_the_specification() -> None:
    assert largest_error(CM([0.5, 0.25]), twins.CM([0.5, 0.25])) == 0.0
    assert CM([0.5, 0.25]).expected_clicks([0, 1]).tolist() == [0.5, 0.5 * 0.25]


def test_nobody_clicks_twice() -> None:
    n_clicks = patterns_of(len(RANKING)).sum(axis=1)
    assert not pattern_counts(MODEL, RANKING)[n_clicks > 1].any()


@given(probabilities(5), st.integers(1, 5))
def test_the_best_ranking_is_the_best_of_all(attraction: list[float], n_positions: int) -> None:
    assert shortfall(CM(attraction), twins.CM(attraction), n_positions) < ROUNDING


def test_the_best_ranking_is_by_attraction_and_then_by_number() -> None:
    assert CM([0.2, 0.5, 0.2, 0.9]).best_ranking(4) == (3, 1, 0, 2)
