from math import inf, log

import numpy as np
import pytest

from unirank.logs.estimators.bernoulli import UNSEEN, log_prior, log_share, share, shares


def test_a_share_is_a_mean_and_a_prior_adds_one_of_each() -> None:
    assert share(3.0, 4.0, 0.0) == 0.75
    assert share(3.0, 4.0, 1.0) == pytest.approx(4 / 6)


def test_without_data_a_share_is_the_default() -> None:
    assert share(0.0, 0.0, 0.0) == UNSEEN
    assert share(0.0, 0.0, 2.0) == 0.5


def test_rounding_does_not_lift_a_share_above_one() -> None:
    assert share(1.0000000000000002, 1.0, 0.0) == 1.0


def test_nothing_times_an_infinite_logarithm_is_nothing() -> None:
    assert log_share(0.0, 0.0) == 0.0
    assert log_share(2.0, 0.5) == pytest.approx(2 * log(0.5))
    assert log_share(1.0, 0.0) == -inf


def test_the_prior_is_symmetric() -> None:
    assert log_prior(0.2, 3.0) == pytest.approx(3 * (log(0.2) + log(0.8)))
    assert log_prior(0.0, 0.0) == 0.0


def test_shares_are_taken_pair_by_pair() -> None:
    found = shares(np.array([1.0, 0.0]), np.array([4.0, 0.0]), 0.0)
    assert found.tolist() == [0.25, UNSEEN]
