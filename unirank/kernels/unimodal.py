"""One round of OSUB: arms with rewards, a leader, and the optimistic choice next to it.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1 (OSUB). For an arm k that was played n_k times and gained g_k, rewards in 0..unit:

    m_k = g_k / (unit n_k), 0 if it was not played      leader s = the arm of largest m_k
    b_k = kl_ucb(m_k, n_k, ln l_s + c ln ln l_s)        l_s = rounds with this leader, this one too

b_k is 1 for an arm that was never played, or never lost, and m_k where the budget is not positive.
Every gamma + 1 rounds of a leader, from its first one on, it is played whatever the indices.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.optimism import ROUNDING, best_with, evidence, peak_of, ties
from unirank.kernels.tournament import enter

LOGLOG_WEIGHT = {"kl-ucb": 3.0, "ln": 0.0}
UNPLAYED = -1  # stands for an arm that has no record yet

ARM = np.dtype(
    [
        ("gained", np.float64),  # g
        ("plays", np.int64),  # n
        ("leads", np.int64),  # l
        ("peak", np.float64),  # of `kernels/optimism.py`: follows from the others
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
    summarise(arms, means, counts, arm, unit)


@compiled
def summarise(
    arms: Arms, means: NDArray[np.float64], counts: NDArray[np.int64], arm: int, unit: float
) -> None:
    """Make all that follows from the record of `arm` follow from it again."""
    record = arms[arm]
    record.peak = peak_of(record.gained / unit, record.plays)
    enter(means, counts, arm, mean_of(record.gained, record.plays, unit))


@compiled
def mean_of(gained: float, plays: int, unit: float) -> float:
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
    guess: int,  # who of them won last, where the search starts
    tied: NDArray[np.int64],  # out: who of `near` has the largest index
) -> int:
    """How many of `near` tie for the largest index; `tied` names them in their order."""
    n_tied = 0
    for place in range(near.size):
        if index_is_one(arms, near[place], unit):
            tied[n_tied] = place
            n_tied += 1
    if n_tied > 0:
        return n_tied
    budget = budget_after(arms[leader].leads, loglog_weight)
    if budget <= 0.0:
        return largest_means(arms, near, unit, tied)
    return largest_indices(arms, near, unit, budget, guess, tied)


@compiled
def index_is_one(arms: Arms, arm: int, unit: float) -> bool:
    if arm == UNPLAYED:
        return True
    return arms[arm].gained >= unit * arms[arm].plays


@compiled
def largest_means(arms: Arms, near: NDArray[np.int64], unit: float, tied: NDArray[np.int64]) -> int:
    n_tied = 0
    best = -1.0
    for place in range(near.size):
        mean = mean_of(arms[near[place]].gained, arms[near[place]].plays, unit)
        if mean > best:
            best = mean
            n_tied = 0
        if mean == best:
            tied[n_tied] = place
            n_tied += 1
    return n_tied


@compiled
def largest_indices(
    arms: Arms,
    near: NDArray[np.int64],
    unit: float,
    budget: float,
    guess: int,
    tied: NDArray[np.int64],
) -> int:
    """Of arms that were all played, and have all lost: solve only for each new best."""
    first = arms[near[guess]]
    best = best_with(first.gained / unit, first.plays, budget)
    x = np.exp(best.log_x)
    n_tied = 0
    for place in range(near.size):
        arm = arms[near[place]]
        wins = arm.gained / unit
        if not ties(best, wins, arm.plays):
            enough = evidence(best, wins, arm.plays, arm.peak) >= budget - ROUNDING
            if enough and wins <= x * arm.plays:  # a mean above x has evidence on the other side
                continue
            best = best_with(wins, arm.plays, budget)
            x = np.exp(best.log_x)
            n_tied = 0
        tied[n_tied] = place
        n_tied += 1
    return n_tied
