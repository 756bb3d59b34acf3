"""Exp3 as a bandit of RBA: proposals at random, seldom those that have lost much.

Auer, Cesa-Bianchi, Freund and Schapire, "The Nonstochastic Multiarmed Bandit Problem", SIAM J.
Computing 2002, in its form with losses and without a horizon. Bandit k proposes item i with
probability

    p_ki = exp(-gamma_t loss_ki) / sum over j of exp(-gamma_t loss_kj)
    loss_ki = sum of (1 - reward) / p_ki over the answered proposals of i, each with the p_ki it had

by one uniform number, that of draw k L.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng, uniform

LEAST_CHANCE = 2.0**-60  # of a proposal that was drawn: losses stay finite


@compiled
def exp3_arm(
    losses: NDArray[np.float64],  # (n_positions, n_items)
    k: int,
    gamma: float,
    weights: NDArray[np.float64],  # (n_items,) scratch
    chances: NDArray[np.float64],  # (n_positions,) out: the probability of the proposal
    rng: Rng,
) -> int:
    """The arm that bandit k pulls."""
    total = fill_exp3_weights(losses, k, gamma, weights)
    drawn = uniform(rng, k * weights.size) * total
    arm = 0
    below = 0.0
    for item in range(weights.size):
        if weights[item] > 0.0:
            arm = item  # the last one if rounding leaves `drawn` above the sum
            below += weights[item]
            if drawn < below:
                break
    chances[k] = max(weights[arm] / total, LEAST_CHANCE)
    return arm


@compiled
def fill_exp3_weights(
    losses: NDArray[np.float64], k: int, gamma: float, weights: NDArray[np.float64]
) -> float:
    """Set `weights` in proportion to the chances of bandit k; return their sum, at least 1."""
    least = np.inf
    for item in range(weights.size):
        least = min(least, losses[k, item])
    total = 0.0
    for item in range(weights.size):
        # From the least loss on: the largest weight is 1 and none overflows.
        weights[item] = np.exp(-gamma * (losses[k, item] - least))
        total += weights[item]
    return total
