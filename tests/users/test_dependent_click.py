import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import click_models as twins
from tests.users.agreement import (
    ROUNDING,
    probabilities,
    probability,
    random_rankings,
    shortfall,
)
from unirank.errors import ArgumentError
from unirank.users import CM, DCM

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
STOP = [0.6, 0.1, 0.9, 0.4]
MODEL, TWIN = DCM(ATTRACTION, STOP), twins.DCM(ATTRACTION, STOP)
RANKING = [0, 4, 2, 3]


@given(probabilities(5), probability, st.integers(1, 5))
def test_with_equal_stops_the_best_ranking_is_the_best_of_all(
    attraction: list[float], stop: float, n_positions: int
) -> None:
    model, twin = DCM(attraction, [stop] * 5), twins.DCM(attraction, [stop] * 5)
    assert shortfall(model, twin, n_positions) < ROUNDING


@given(probabilities(5), probabilities(4), st.integers(1, 4))
def test_with_any_stops_the_best_ranking_is_the_best_of_all(
    attraction: list[float], stop: list[float], n_positions: int
) -> None:
    assert shortfall(DCM(attraction, stop), twins.DCM(attraction, stop), n_positions) < ROUNDING


def test_the_stop_at_the_last_position_shown_does_not_matter() -> None:
    attraction = [0.1 + 0.8 * i / 199 for i in range(200)]  # too many to search
    assert DCM(attraction, [0.5, 0.5, 0.5, 0.1]).best_ranking(4) == (199, 198, 197, 196)


def test_stops_that_vary_are_searched_as_far_as_that_is_possible() -> None:
    with pytest.raises(ArgumentError, match="dcm has no closed form and 4 of 200 items make"):
        DCM([0.5] * 200, [0.5, 0.4, 0.5, 0.5]).best_ranking(4)


def test_certain_stops_make_it_the_cascade_model() -> None:
    always, cascade = DCM(ATTRACTION, [1.0] * 6), CM(ATTRACTION)
    for round, ranking in enumerate(random_rankings(cascade, 300), 1):
        clicks = always.draw_clicks(ranking, seed=3, round=round)
        assert clicks.tolist() == cascade.draw_clicks(ranking, seed=3, round=round).tolist()
