import pytest

from tests.lab.theory.problems import of_all_models
from tests.reference.theory import compare, rankings
from unirank.lab.theory.definition import clicked_alone, compared
from unirank.lab.theory.search import least_differences
from unirank.users import PBM


def test_two_items_compare_as_the_definition_says() -> None:
    for users, twin, n_positions in of_all_models(12, seed=1):
        for ranking in rankings(users.n_items, n_positions):
            for i, j in ((0, 1), (3, 2)):
                differ, difference = compare(twin, ranking, i, j)
                seen = compared(users, ranking, i, j)
                assert seen.probability == pytest.approx(differ, abs=1e-12)
                assert seen.difference * differ == pytest.approx(difference, abs=1e-12)


def test_clicks_that_never_differ_make_no_difference() -> None:
    users = PBM([0.5, 0.4, 0.3], [1, 0])
    assert compared(users, [2, 0], 0, 1) == (0.0, 0.0)
    together = PBM([0.5, 0.5, 0.3], [0.7, 0.7], coupling="common")
    assert compared(together, [0, 1], 0, 1) == (0.0, 0.0)


def test_what_cannot_happen_has_no_chance_left_by_rounding() -> None:
    # A common number below the smaller of two chances is below the larger: 1 is never alone.
    users = PBM([0.76, 0.1], [0.51, 0.15], coupling="common")
    joint = users.joint_clicks([0, 1])
    assert 0 < joint[1, 1] - joint[0, 1] < 1e-15
    assert clicked_alone(users, (0, 1), 1, 0) == 0
    assert compared(users, (0, 1), 0, 1).difference == 1.0
    assert least_differences(users, 2)[0][0, 1] == 1.0
