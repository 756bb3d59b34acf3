"""The bandits of RBA by hand: each index and its ties, and the probabilities of Exp3."""

from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest

from unirank.policies import RBA
from unirank.policies.kernels.randomness import POLICY, address
from unirank.policies.rba.bandits import fill_weights, propose, scale_of


def with_counts(won: list[int], pulled: list[int], rounds: int, **options: Any) -> Any:
    """One position, whose bandit has counted this."""
    policy = RBA(len(won), 1, **options)
    counts = {"won": np.array([won]), "pulled": np.array([pulled]), "rounds": np.array([rounds])}
    if options.get("bandit") == "exp3":
        counts["losses"] = np.array([pulled], float) - np.array([won])
    policy.restore(counts)
    return policy


def proposals(policy: Any, n_seeds: int = 300) -> set[int]:
    """What the bandit of the first position would propose, for many seeds."""
    policy.state.now["scale"] = scale_of(policy.state)
    addresses = [address(seed, 0, POLICY, 1) for seed in range(n_seeds)]
    return {int(propose(policy.state, 0, one)) for one in addresses}


def test_ucb1_weighs_the_mean_and_the_logarithm_of_the_rounds() -> None:
    # .5 + sqrt(1.5 ln t / 40) against .2 + sqrt(1.5 ln t / 10): equal at ln t = 2.4, t = 11.02.
    meet = exp((0.3 / (sqrt(1.5 / 10) - sqrt(1.5 / 40))) ** 2)
    assert meet == pytest.approx(11.0232, abs=1e-4)
    for rounds, best in [(50, 1), (60, 1)]:
        assert proposals(with_counts([20, 2], [40, 10], rounds)) == {best}
    policy = with_counts([20, 2], [40, 10], 50)
    for rounds, best in [(11, 0), (12, 1)]:
        policy.state.now["rounds"] = rounds
        assert proposals(policy) == {best}


def test_kl_ucb_shows_the_item_with_fewer_looks_of_equal_mean() -> None:
    assert proposals(with_counts([0, 0, 0], [20, 10, 15], 100, bandit="kl-ucb")) == {1}
    assert proposals(with_counts([10, 2, 0], [20, 5, 15], 41, bandit="kl-ucb")) == {1}


@pytest.mark.parametrize("bandit", ["ucb1", "kl-ucb"])
def test_items_without_an_answer_come_first_and_equal_ones_are_drawn(bandit: str) -> None:
    assert proposals(with_counts([9, 0, 0], [9, 0, 0], 50, bandit=bandit)) == {1, 2}
    assert proposals(with_counts([1, 3, 3, 1], [9, 9, 9, 9], 50, bandit=bandit)) == {1, 2}


def test_exp3_proposes_by_losses() -> None:
    policy = with_counts([0, 0, 0], [5, 2, 0], 24, bandit="exp3")
    policy.state.now["scale"] = scale_of(policy.state)
    total = fill_weights(policy.state, 0)
    gamma = sqrt(log(3) / (25 * 3))
    expected = np.exp(-gamma * np.array([5.0, 2.0, 0.0]))
    np.testing.assert_allclose(policy.state.weights / total, expected / expected.sum(), rtol=1e-12)


def test_exp3_with_losses_beyond_all_floats_still_has_chances() -> None:
    policy = with_counts([0, 0, 0], [5, 2, 1], 24, bandit="exp3")
    policy.state.losses[0] = [1e17, 2.0, 3e200]
    assert proposals(policy) == {1}
    assert policy.state.chances[0] == 1.0
