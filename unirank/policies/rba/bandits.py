"""The bandits of RBA: one for each position, each with all items for arms.

    pulled_ki, won_ki   proposals of item i by bandit k that were answered, and rewards they earned
    t                   rankings given before this one

    ucb1     largest won_ki / pulled_ki + sqrt(1.5 ln t) / sqrt(pulled_ki)
    kl-ucb   largest kl_ucb(won_ki / pulled_ki, pulled_ki, b(t)),   b(t) = ln t + 3 ln ln t
    exp3     see `rba_exp3.py`, with gamma_t = sqrt(ln L / ((t + 1) L))

The first two propose items without an answer before all others, and choose among equal ones
uniformly: the one with the smallest uniform(draw = k L + item). All of a
UCB1 index that does not change with t is kept, so that an index costs a product and a sum; KL-UCB
solves only for items whose index may be the largest (`kernels/optimism.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget, kl_ucb
from unirank.kernels.optimism import peak_of
from unirank.kernels.randomness import Rng, uniform
from unirank.policies.rba.exp3 import exp3_arm, fill_exp3_weights

BANDITS = ("ucb1", "kl-ucb", "exp3")
UCB1, KL_UCB, EXP3 = range(3)
EXPLORATION = 1.5
LOGLOG_WEIGHT = 3.0

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("scale", np.float64),  # sqrt(1.5 ln t), b(t) or gamma_t of the ranking last given
    ]
)


class State(NamedTuple):
    pulled: NDArray[np.int64]  # (n_positions, n_items)
    won: NDArray[np.int64]  # (n_positions, n_items)
    losses: NDArray[np.float64]  # (n_positions, n_items) of Exp3
    means: NDArray[np.float64]  # (n_positions, n_items) won / pulled, infinite where pulled is 0
    widths: NDArray[np.float64]  # (n_positions, n_items) 1 / sqrt(pulled), 0 where pulled is 0
    peaks: NDArray[np.float64]  # (n_positions, n_items) of KL-UCB: log-likelihood at the mean
    proposals: NDArray[np.int64]  # (n_positions,) of the ranking last given, or recalled
    chances: NDArray[np.float64]  # (n_positions,) with which Exp3 proposed them
    placed: NDArray[np.int64]  # (n_positions,) scratch: items placed above, ascending
    weights: NDArray[np.float64]  # (n_items,) scratch
    now: Any  # (1,) record NOW
    bandit: int


@compiled
def start_round(state: State) -> None:
    now = state.now[0]
    n_items = state.weights.size
    if state.bandit == UCB1:
        now.scale = np.sqrt(EXPLORATION * np.log(float(max(now.rounds, 1))))
    elif state.bandit == KL_UCB:
        now.scale = budget(now.rounds, LOGLOG_WEIGHT)
    else:
        now.scale = np.sqrt(np.log(float(n_items)) / ((now.rounds + 1.0) * n_items))
    now.rounds += 1


@compiled
def propose(state: State, k: int, rng: Rng) -> int:
    """The arm that bandit k pulls."""
    if state.bandit == UCB1:
        return ucb1_arm(state, k, rng)
    if state.bandit == KL_UCB:
        return kl_ucb_arm(state, k, rng)
    return exp3_arm(state.losses, k, state.now[0].scale, state.weights, state.chances, rng)


@compiled
def ucb1_arm(state: State, k: int, rng: Rng) -> int:
    scale = state.now[0].scale
    n_items = state.weights.size
    arm, best, tied = 0, -1.0, False
    for item in range(n_items):
        index = state.means[k, item] + scale * state.widths[k, item]
        if index >= best:
            tied = index == best
            arm, best = item, index
    if tied:
        for item in range(n_items):
            state.weights[item] = state.means[k, item] + scale * state.widths[k, item]
        arm = one_of_equal(state, k, best, rng)
    return arm


@compiled
def kl_ucb_arm(state: State, k: int, rng: Rng) -> int:
    left = state.now[0].scale
    n_items = state.weights.size
    arm, best, tied = 0, -1.0, False
    log_best = log_not_best = 0.0
    for item in range(n_items):
        pulled, won, mean = state.pulled[k, item], state.won[k, item], state.means[k, item]
        if pulled > 0 and mean < best:
            # Below the best one exactly when it takes more evidence than is left to reach it. What
            # is closer than rounding errors, or infinite less infinite, is solved for.
            reaches = state.peaks[k, item] - won * log_best - (pulled - won) * log_not_best
            if reaches > left + 1e-9 + 1e-14 * pulled:
                state.weights[item] = -1.0
                continue
        index = kl_ucb(mean, np.float64(pulled), left) if pulled > 0 else np.inf
        state.weights[item] = index
        if index >= best:
            tied = index == best
            if not tied and index < 1.0:
                log_best, log_not_best = np.log(index), np.log1p(-index)
            arm, best = item, index
            if index >= 1.0:
                log_best, log_not_best = 0.0, -np.inf
    return one_of_equal(state, k, best, rng) if tied else arm


@compiled
def one_of_equal(state: State, k: int, best: float, rng: Rng) -> int:
    """Any of the items whose index, in `weights`, is the best."""
    n_items = state.weights.size
    arm, least = 0, 1.0
    for item in range(n_items):
        if state.weights[item] == best:
            key = uniform(rng, k * n_items + item)
            if key < least:
                arm, least = item, key
    return arm


@compiled
def fill_weights(state: State, k: int) -> float:
    """Like `fill_exp3_weights` for any bandit: 1 for each of the largest indices, else 0."""
    scale = state.now[0].scale
    if state.bandit == EXP3:
        return fill_exp3_weights(state.losses, k, scale, state.weights)
    best = -1.0
    for item in range(state.weights.size):
        pulled, mean = state.pulled[k, item], state.means[k, item]
        index = mean + scale * state.widths[k, item]
        if state.bandit == KL_UCB and pulled > 0:
            index = kl_ucb(mean, np.float64(pulled), scale)
        state.weights[item] = index
        best = max(best, index)
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
    derive(state, k, item)
    if state.bandit == EXP3 and not won:
        state.losses[k, item] += 1.0 / state.chances[k]


@compiled
def derive(state: State, k: int, item: int) -> None:
    """Set what follows from the counts of one arm."""
    pulled = state.pulled[k, item]
    if pulled > 0:
        state.means[k, item] = state.won[k, item] / pulled
        state.widths[k, item] = 1.0 / np.sqrt(float(pulled))
        if state.bandit == KL_UCB:
            state.peaks[k, item] = peak_of(np.float64(state.won[k, item]), pulled)
