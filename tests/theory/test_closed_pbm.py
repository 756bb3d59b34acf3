import numpy as np
import pytest

from unirank.click_models import PBM
from unirank.theory.closed_pbm import pbm_least_differences


def test_one_item_left_out_is_the_least() -> None:
    least, hardest = pbm_least_differences(PBM([0.5, 0.3, 0.1], [1.0, 0.5]), 2)
    assert least[0, 1] == pytest.approx(0.2 / 0.8)
    assert 1 not in hardest[0, 1]


def test_with_all_shown_it_is_that_of_the_positions_seen_least() -> None:
    least, hardest = pbm_least_differences(PBM([0.5, 0.3, 0.1], [1.0, 0.6, 0.4]), 3)
    wanted = 1.0 * 0.2 / (1.0 * 0.8 - 4 * 0.6 * 0.4 * 0.5 * 0.3)
    assert least[0, 1] == pytest.approx(wanted)
    assert hardest[0, 1].tolist() == [2, 0, 1]


def test_common_clicks_that_always_agree_with_the_order() -> None:
    users = PBM([0.5, 0.3], [1.0, 0.9], coupling="common")
    least, _ = pbm_least_differences(users, 2)
    np.testing.assert_allclose(least, [[0, 1], [-1, 0]], atol=1e-12)
