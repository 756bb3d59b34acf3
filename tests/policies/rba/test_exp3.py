"""Exp3 by hand: its chances, and losses beyond all measure."""

from math import log, sqrt

import numpy as np

from tests.policies.rba.test_bandits import proposals, with_counts
from unirank.policies.rba.bandits import fill_weights, start_round


def test_exp3_proposes_by_losses() -> None:
    policy = with_counts([0, 0, 0], [5, 2, 0], 24, bandit="exp3")
    start_round(policy.state)
    total = fill_weights(policy.state, 0)
    gamma = sqrt(log(3) / (25 * 3))
    expected = np.exp(-gamma * np.array([5.0, 2.0, 0.0]))
    np.testing.assert_allclose(policy.state.weights / total, expected / expected.sum(), rtol=1e-12)


def test_exp3_with_losses_beyond_all_floats_still_has_chances() -> None:
    policy = with_counts([0, 0, 0], [5, 2, 1], 24, bandit="exp3")
    policy.state.losses[0] = [1e17, 2.0, 3e200]
    assert proposals(policy) == {1}
    assert policy.state.chances[0] == 1.0
