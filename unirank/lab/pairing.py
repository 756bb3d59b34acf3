"""One curve minus another, game by game.

The same users meet both policies, so most of their luck cancels out. Games are averaged within
each problem, then problems are averaged: they are all there is, not a sample, so

    standard error = sqrt(sum over problems of variance / n_games) / n_problems.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.simulation import Trace

Curve = Mapping[str, Trace]  # by problem


class Paired(NamedTuple):
    """Mean difference of regret and its standard error, by round; NaN where a game is alone."""

    rounds: NDArray[np.int64]
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    n_games: int


def paired(left: Curve, right: Curve) -> Paired:
    """Regret of `left` minus that of `right`, on the games that both played."""
    rounds = common_rounds(left, right)
    if not len(rounds):
        raise ArgumentError("two curves must share a checkpoint to be compared")
    samples = [
        mine.regret[here][:, np.isin(mine.rounds, rounds)]
        - theirs.regret[there][:, np.isin(theirs.rounds, rounds)]
        for mine, theirs, here, there in shared_games(left, right)
    ]
    return Paired(rounds, *averaged(samples), sum(len(sample) for sample in samples))


def averaged(samples: Sequence[NDArray[np.float64]]) -> tuple[Any, Any]:
    """Mean over problems of the mean over their games (rows), and its standard error."""
    mean = np.mean([sample.mean(axis=0) for sample in samples], axis=0)
    if min(len(sample) for sample in samples) < 2:
        return mean, np.full_like(mean, np.nan)
    variances = [sample.var(axis=0, ddof=1) / len(sample) for sample in samples]
    return mean, np.sqrt(np.sum(variances, axis=0)) / len(samples)


def shared_games(left: Curve, right: Curve) -> list[tuple[Trace, Trace, Any, Any]]:
    """Two traces of each problem that both met, and the rows of the games that both played."""
    found = []
    for problem in left:
        if problem in right and left[problem].click_model == right[problem].click_model:
            mine, theirs = left[problem], right[problem]
            _, here, there = np.intersect1d(mine.games, theirs.games, return_indices=True)
            if len(here):
                found.append((mine, theirs, here, there))
    if not found:
        raise ArgumentError("two curves must share games of a problem to be compared")
    return found


def common_rounds(left: Curve, right: Curve) -> NDArray[np.int64]:
    """Checkpoints that all have."""
    first, *others = [*left.values(), *right.values()]
    rounds = first.rounds
    for other in others:
        rounds = np.intersect1d(rounds, other.rounds)
    return rounds
