"""The bandits of RBA: one for each position, whose arms are all items.

    pulled_ki, won_ki   proposals of item i by bandit k that were answered, and rewards they earned
    t                   rankings given before this one

    ucb1     largest won_ki / pulled_ki + sqrt(1.5 ln t / pulled_ki)
    kl-ucb   largest kl_ucb(won_ki / pulled_ki, pulled_ki, b(t)),   b(t) = ln t + 3 ln ln t

Both propose items without an answer first. Among items of equal index the one with the smallest
uniform number wins; draw k L + i belongs to item i. Exp3 proposes item i with probability

    p_ki = exp(-gamma_t loss_ki) / sum over j of exp(-gamma_t loss_kj)
    loss_ki = sum of (1 - reward) / p_ki over the answered proposals of i, each with the p_ki it had
    gamma_t = sqrt(ln L / ((t + 1) L))

by draw k L: Auer, Cesa-Bianchi, Freund and Schapire, "The Nonstochastic Multiarmed Bandit Problem",
SIAM J. Computing 2002, in its form with losses and without a horizon.
"""

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget, kl_ucb
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.policies.rba.state import EXP3, KL_UCB, LEAST_CHANCE, UCB1, State

EXPLORATION = 1.5
LOGLOG_WEIGHT = 3.0


@compiled
def scale_of(state: State) -> float:
    """Return what all indices of a round have in common: sqrt(1.5 ln t), b(t) or gamma_t."""
    t, n_items = state.now[0].rounds, state.weights.size
    if state.bandit == UCB1:
        return np.sqrt(EXPLORATION * np.log(float(max(t, 1))))
    if state.bandit == KL_UCB:
        return budget(t, LOGLOG_WEIGHT)
    return np.sqrt(np.log(float(n_items)) / ((t + 1.0) * n_items))


@compiled
def propose(state: State, k: int, rng: Rng) -> int:
    """Return the item that bandit k proposes."""
    if state.bandit == EXP3:
        return exp3_arm(state, k, rng)
    fill_indices(state, k)
    indices, first_draw = state.weights, k * state.weights.size
    arm = 0
    for item in range(1, indices.size):
        if indices[item] > indices[arm] or (
            indices[item] == indices[arm]
            and uniform(rng, first_draw + item) < uniform(rng, first_draw + arm)
        ):
            arm = item
    return arm


@compiled
def fill_indices(state: State, k: int) -> None:
    """Set `weights` to the indices of bandit k: infinite where there is no answer yet."""
    scale, indices = state.now[0].scale, state.weights
    for item in range(indices.size):
        pulled = np.float64(state.pulled[k, item])
        mean = np.divide(np.float64(state.won[k, item]), pulled)
        if state.bandit == UCB1:
            indices[item] = mean + np.divide(scale, np.sqrt(pulled))
        elif pulled > 0.0:
            indices[item] = kl_ucb(mean, pulled, scale)
        if pulled == 0.0:
            indices[item] = np.inf


@compiled
def exp3_arm(state: State, k: int, rng: Rng) -> int:
    """Draw the item that bandit k proposes, and store its probability."""
    weights = state.weights
    total = fill_exp3_weights(state, k)
    drawn = uniform(rng, k * weights.size) * total
    arm = 0
    below = 0.0
    for item in range(weights.size):
        if weights[item] > 0.0:
            arm = item  # the last one if rounding leaves `drawn` above the sum
            below += weights[item]
            if drawn < below:
                break
    state.chances[k] = max(weights[arm] / total, LEAST_CHANCE)
    return arm


@compiled
def fill_exp3_weights(state: State, k: int) -> float:
    """Set `weights` in proportion to the probabilities of bandit k; return their sum."""
    losses, gamma = state.losses, state.now[0].scale
    least = np.inf
    for item in range(state.weights.size):
        least = min(least, losses[k, item])
    total = 0.0
    for item in range(state.weights.size):
        # Relative to the least loss: the largest weight is 1 and none overflows.
        state.weights[item] = np.exp(-gamma * (losses[k, item] - least))
        total += state.weights[item]
    return total


@compiled
def fill_weights(state: State, k: int) -> float:
    """Like `fill_exp3_weights` for any bandit: 1 for each of the largest indices, else 0."""
    if state.bandit == EXP3:
        return fill_exp3_weights(state, k)
    fill_indices(state, k)
    best = -1.0
    for item in range(state.weights.size):
        best = max(best, state.weights[item])
    total = 0.0
    for item in range(state.weights.size):
        state.weights[item] = 1.0 if state.weights[item] == best else 0.0
        total += state.weights[item]
    return total


@compiled
def learn(state: State, k: int, won: bool) -> None:
    """Reward bandit k for its proposal."""
    item = state.proposals[k]
    state.pulled[k, item] += 1
    state.won[k, item] += won
    if state.bandit == EXP3 and not won:
        state.losses[k, item] += 1.0 / state.chances[k]
