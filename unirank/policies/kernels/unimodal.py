"""One round of OSUB: arms with rewards, a leader, and the optimistic choice next to it.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1 (OSUB). For an arm k that was played n_k times and gained g_k, rewards in 0..unit:

    m_k = g_k / (unit n_k), 0 if it was not played      leader s = the arm of largest m_k
    b_k = kl_ucb(m_k, n_k, ln l_s + c ln ln l_s)        l_s = rounds with this leader, this one too

b_k is 1 for an arm that was never played or gained all that it could, at most 1 - 2^-40 for others,
and m_k where the budget is not positive.
Every gamma + 1 rounds of a leader, from its first one on, it is played whatever the indices.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.indices import kl, kl_ucb
from unirank.policies.kernels.tournament import enter

LOGLOG_WEIGHT = {"kl-ucb": 3.0, "ln": 0.0}
HIGHEST = 1.0 - 2.0**-40  # index of an arm that did not gain all: above, rounding errors decide
UNPLAYED = -1  # stands for an arm that has no record yet

ARM = np.dtype(
    [
        ("gained", np.float64),  # g
        ("plays", np.int64),  # n
        ("leads", np.int64),  # l
    ]
)

Arms = Any  # (n_arms,) records ARM


@compiled
def reward(
    arms: Arms,
    means: NDArray[np.float64],  # the tournament of the arms' means
    counts: NDArray[np.int64],
    arm: int,
    gain: float,
    unit: float,
) -> None:
    """Learn that one play of `arm` gained this much."""
    record = arms[arm]
    record.gained += gain
    record.plays += 1
    enter(means, counts, arm, mean_of(record.gained, record.plays, unit))


@compiled
def mean_of(gained: float, plays: int, unit: float) -> float:
    """Mean gain of a play, in units; 0 before the first."""
    return gained / (unit * plays) if plays > 0 else 0.0


@compiled
def lead(arms: Arms, leader: int, period: int) -> bool:
    """Count a round with this leader; whether it must be played."""
    arms[leader].leads += 1
    return (arms[leader].leads - 1) % period == 0


@compiled
def most_optimistic(
    arms: Arms,
    leader: int,
    near: NDArray[np.int64],  # the leader and its neighbours: their arms, or UNPLAYED
    unit: float,
    loglog_weight: float,
    tied: NDArray[np.int64],  # out: places in `near` of the largest index
) -> int:
    """Fill `tied` with the arms of largest index, in the order of `near`; return how many."""
    budget = budget_after(arms[leader].leads, loglog_weight)
    best = -1.0
    n_tied = 0
    for place in range(near.size):
        index = 1.0
        if not index_is_one(arms, near[place], unit):
            if best == 1.0:
                continue
            arm = arms[near[place]]
            mean = mean_of(arm.gained, arm.plays, unit)
            # Near 1, kl(mean, best) has the rounding error of 1 - best.
            margin = 1e-9 + 1e-15 * arm.plays / (1.0 - best)
            if mean < best and arm.plays * kl(mean, best) > budget + margin:
                continue  # its index is below the best one
            index = min(kl_ucb(mean, np.float64(arm.plays), budget), HIGHEST)
        if index > best:
            best = index
            n_tied = 0
        if index == best:
            tied[n_tied] = place
            n_tied += 1
    return n_tied


@compiled
def index_is_one(arms: Arms, arm: int, unit: float) -> bool:
    """Whether the arm was never played, or gained all that it could."""
    return arm == UNPLAYED or arms[arm].gained >= unit * arms[arm].plays
