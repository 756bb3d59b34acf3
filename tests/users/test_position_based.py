import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import click_models as twins
from tests.users.agreement import ROUNDING, probabilities, shortfall
from unirank.errors import ArgumentError, UnknownNameError
from unirank.users import PBM

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


def test_an_unknown_coupling_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as caught:
        PBM([0.1], [1.0], coupling="comon")
    assert str(caught.value) == "unknown coupling 'comon'; did you mean 'common'?"
