"""One curve minus another, game by game, at every checkpoint.

As `evidence.difference` at one round: the same users meet both policies, so most of their luck
cancels out. Games are averaged within each problem, then problems are averaged.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab.evidence import Curve


class Paired(NamedTuple):
    """Mean difference of regret and its standard error, by round; NaN where a game is alone."""

    rounds: NDArray[np.int64]
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    n_games: int


def paired(left: Curve, right: Curve) -> Paired:
    """Regret of `left` minus that of `right`, on the games that both played."""
    samples = []
    rounds = common_rounds(left, right)
    for problem in left:
        if problem in right and left[problem].click_model == right[problem].click_model:
            mine, theirs = left[problem], right[problem]
            _, here, there = np.intersect1d(mine.games, theirs.games, return_indices=True)
            sample = (
                mine.regret[here][:, np.isin(mine.rounds, rounds)]
                - theirs.regret[there][:, np.isin(theirs.rounds, rounds)]
            )
            if len(sample):
                samples.append(sample)
    if not samples or not len(rounds):
        raise ArgumentError("two curves must share games of a problem to be compared")
    means = [sample.mean(axis=0) for sample in samples]
    if min(len(sample) for sample in samples) < 2:
        error = np.full(len(rounds), np.nan)
    else:
        variances = [sample.var(axis=0, ddof=1) / len(sample) for sample in samples]
        error = np.sqrt(np.sum(variances, axis=0)) / len(samples)
    return Paired(rounds, np.mean(means, axis=0), error, sum(len(s) for s in samples))


def common_rounds(left: Curve, right: Curve) -> NDArray[np.int64]:
    """Checkpoints that all have."""
    first, *others = [*left.values(), *right.values()]
    rounds = first.rounds
    for other in others:
        rounds = np.intersect1d(rounds, other.rounds)
    return rounds
