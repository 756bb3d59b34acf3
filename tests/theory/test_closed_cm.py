import pytest

from unirank.click_models import CM
from unirank.theory.closed_cm import cm_least_differences


def test_one_item_left_out_is_the_least() -> None:
    least, hardest = cm_least_differences(CM([0.5, 0.3, 0.1]), 2)
    assert least[0, 1] == pytest.approx(0.2 / 0.8)
    assert hardest[0, 1].tolist() == [0, 2]
    assert least[1, 0] == pytest.approx(-0.2 / (0.8 - 0.15))  # next to each other
    assert hardest[1, 0].tolist() == [1, 0]


def test_with_all_shown_it_is_with_all_others_between() -> None:
    least, hardest = cm_least_differences(CM([0.5, 0.3, 0.1]), 3)
    assert least[0, 1] == pytest.approx(0.2 / (0.8 - 2 * 0.9 / 1.9 * 0.15))
    assert hardest[0, 1].tolist() == [0, 2, 1]


def test_below_an_item_that_everybody_clicks_nothing_is_told() -> None:
    least, hardest = cm_least_differences(CM([0.3, 1.0, 0.2]), 2)
    assert least[0, 2] == 0
    assert hardest[0, 2].tolist() == [1, 0]
    assert least[1, 0] > 0
