from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.click_models.agreement import (
    MOST_Z,
    N_USERS,
    ROUNDING,
    click_rates,
    pattern_counts,
    patterns_of,
    probabilities,
    shortfall,
)
from tests.reference import click_models as twins
from unirank.click_models import PBM
from unirank.errors import ArgumentError, UnknownNameError

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7, 1.0]
EXAMINATION = [0.9, 0.6, 1.0, 0.3]
RANKING = [0, 2, 3, 4]
PAIRS = {
    "independent": (PBM(ATTRACTION, EXAMINATION), twins.PBM(ATTRACTION, EXAMINATION)),
    "common": (
        PBM(ATTRACTION, EXAMINATION, coupling="common"),
        twins.PBM(ATTRACTION, EXAMINATION, "common"),
    ),
}


def rate_of_both(model: PBM, first: int, second: int) -> float:
    """How often both positions were clicked."""
    vectors = patterns_of(len(RANKING))
    both = vectors[:, first] & vectors[:, second]
    return float(pattern_counts(model, RANKING)[both].sum() / N_USERS)


@pytest.mark.parametrize(("first", "second"), [*combinations(range(4), 2)])
def test_independent_clicks_have_no_covariance(first: int, second: int) -> None:
    model = PAIRS["independent"][0]
    a, b = model.expected_clicks(RANKING)[[first, second]]
    error = np.sqrt(a * (1 - a) * b * (1 - b) / N_USERS)
    assert abs(rate_of_both(model, first, second) - a * b) < MOST_Z * error


@pytest.mark.parametrize(("first", "second"), [*combinations(range(4), 2)])
def test_common_clicks_come_together_as_often_as_the_rarer_one(first: int, second: int) -> None:
    model = PAIRS["common"][0]
    rates = click_rates(model, RANKING)
    assert rate_of_both(model, first, second) == min(rates[first], rates[second])


def test_a_user_clicks_alike_on_an_item_in_its_place_whatever_surrounds_it() -> None:
    model = PAIRS["independent"][0]
    for round in range(1, 200):
        here = model.draw_clicks([0, 2, 4], seed=1, round=round)
        there = model.draw_clicks([3, 2, 5], seed=1, round=round)
        assert here[1] == there[1]


@given(probabilities(5), probabilities(4), st.integers(1, 4))
def test_the_best_ranking_is_the_best_of_all(
    attraction: list[float], examination: list[float], n_positions: int
) -> None:
    model, twin = PBM(attraction, examination), twins.PBM(attraction, examination)
    assert shortfall(model, twin, n_positions) < ROUNDING


def test_the_most_attractive_item_is_best_where_people_look_most() -> None:
    assert PBM([0.1, 0.9, 0.5, 0.2], [0.3, 1.0, 0.6]).best_ranking(3) == (3, 1, 2)


def test_positions_are_ordered_by_decreasing_examination_and_equal_ones_as_they_stand() -> None:
    model = PBM(ATTRACTION, [0.5, 1.0, 0.5, 0.8])
    assert [model.position_order(n) for n in (4, 3, 1)] == [(1, 3, 0, 2), (1, 0, 2), (0,)]
    with pytest.raises(ArgumentError, match=r"^n_positions must be in 1\.\..*=4, got 5$"):
        model.position_order(5)


@pytest.mark.parametrize("coupling", ["independent", "common"])
def test_reordered_users_look_at_new_position_r_as_at_the_old_one(coupling: str) -> None:
    model = PBM(ATTRACTION, EXAMINATION, coupling=coupling)
    assert model.reordered([2, 0, 3, 1]) == PBM(ATTRACTION, [1.0, 0.9, 0.3, 0.6], coupling=coupling)
    assert model.reordered(model.position_order(4)).position_order(4) == (0, 1, 2, 3)


@pytest.mark.parametrize("order", [[0, 1, 2], [0, 1, 2, 2], [1, 2, 3, 4], [], 4])
def test_an_order_of_positions_that_is_none_is_refused(order: list[int]) -> None:
    with pytest.raises(ArgumentError) as caught:
        PAIRS["independent"][0].reordered(order)
    assert str(caught.value) == f"position_order must be a permutation of 0..3, got {order!r}"


def test_an_unknown_coupling_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        PBM([0.1], [1.0], coupling="comon")
    assert str(caught.value) == "unknown coupling 'comon'; did you mean 'common'?"


def test_an_examination_is_an_error_by_its_name_and_place() -> None:
    with pytest.raises(ArgumentError, match=r"^examination\[1\] must be in \[0, 1\], got nan$"):
        PBM([0.1], [0.5, float("nan")])
