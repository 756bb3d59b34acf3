"""Counts and sums fade: with a half-life, what was learnt counts half after so many rounds.

They are multiplied at a refresh of the model, once a hundredth of the half-life has passed: not in
each round, and what is learnt in between weighs a hundredth less than it should at most. The doubt
and the time to the next refresh follow the rounds that are still remembered,

    r = m (1 - exp(-t / m)),   m = half_life / ln 2

of t rounds: t itself while t is small, and never more than m.
"""

from math import log

import numpy as np

from unirank.policies.kernels.compiling import compiled
from unirank.policies.match_rank.guard import weigh
from unirank.policies.match_rank.state import State

LN_2 = log(2.0)
STEPS = 100.0  # in a half-life


@compiled
def remembered(rounds: int, half_life: float) -> float:
    """Return r; all rounds where nothing is forgotten."""
    if half_life == np.inf:
        return np.float64(rounds)
    memory = half_life / LN_2
    return -memory * np.expm1(-rounds / memory)


@compiled
def fade(state: State) -> None:
    """Multiply counts and sums by what has passed, if that is enough."""
    now = state.now[0]
    passed = now.rounds - now.aged
    if passed == 0 or passed < state.half_life / STEPS:
        return
    now.aged = now.rounds
    factor = np.exp2(-passed / state.half_life)
    n_items, n_positions = state.clicked.shape
    for item in range(n_items):
        for k in range(n_positions):
            state.clicked[item, k] = state.clicked[item, k] * factor
            state.shown[item, k] = state.shown[item, k] * factor
    for i in range(n_items):
        for j in range(n_items):
            state.gain[i, j] *= factor
            state.spread[i, j] *= factor
    for i in range(n_items):
        for j in range(i):
            if state.spread[i, j] > 0.0:
                weigh(state, i, j)
