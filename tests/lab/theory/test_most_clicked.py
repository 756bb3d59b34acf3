import pytest

from tests.users.test_objective import Silent
from unirank.lab.theory.most_clicked import compare_lists
from unirank.users import CM, DBN, UBM


def test_by_hand() -> None:
    lists = compare_lists(DBN([0.5, 0.4], [1.0, 0.0], abandon=0.0), 2)
    assert lists is not None
    by_attraction, most_clicked = lists.by_attraction, lists.most_clicked
    assert (by_attraction.ranking, most_clicked.ranking) == ((0, 1), (1, 0))
    assert (by_attraction.clicks, most_clicked.clicks) == pytest.approx((0.7, 0.9))
    assert (by_attraction.any_click, most_clicked.any_click) == pytest.approx((0.7, 0.7))
    # First clicks at 0.5 and 0.5 * 0.4, or at 0.4 and 0.6 * 0.5.
    assert (by_attraction.rank, most_clicked.rank) == pytest.approx((0.9 / 0.7, 1.0 / 0.7))
    assert by_attraction.reciprocal_rank == pytest.approx(0.5 + 0.2 / 2)
    assert most_clicked.reciprocal_rank == pytest.approx(0.4 + 0.3 / 2)
    assert lists.is_reversed
    assert not lists.same


def test_cascade_users_click_most_on_the_list_by_attraction() -> None:
    lists = compare_lists(CM([0.1, 0.3, 0.2]), 2)
    assert lists is not None
    assert lists.same
    assert lists.most_clicked.ranking == (1, 2)


def test_what_cannot_be_told_is_not_compared() -> None:
    assert compare_lists(Silent([0.1, 0.2]), 1) is None
    assert compare_lists(CM([0.0, 0.0]), 1) is None
    assert compare_lists(UBM([0.1] * 20, [[0.5] * 6] * 6), 6) is None
