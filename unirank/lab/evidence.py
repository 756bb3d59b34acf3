"""Compare the regret of two policies game by game, with a stated risk of error.

The same users meet both policies, so most of their luck cancels out. Games are averaged within
each problem, then problems are averaged. The problems are no sample of others, so

    standard error = sqrt(sum over problems of variance / n_games) / n_problems.

A difference counts if it is more than `Z` standard errors from 0; otherwise the verdict is "cannot
tell". Two equal policies differ by so much, with one problem of 20 games, in 1 of 136 comparisons
(Student's t with 19 degrees of freedom), of 10 games in 1 of 67, of 5 games in 1 of 25; with more
problems less often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab.simulation import Trace

Z = 3.0
ROUNDING = 1e-9

Verdict = Literal["holds", "does not hold", "cannot tell"]
TracesByProblem = Mapping[str, Trace]  # a curve: one policy on the problems of an experiment


class Paired(NamedTuple):
    """Mean difference of regret and its standard error, by round; the error of one game is NaN."""

    rounds: NDArray[np.int64]
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    n_games: int


def paired(left: TracesByProblem, right: TracesByProblem) -> Paired:
    """Regret of `left` minus that of `right`, on the games that both played."""
    rounds = common_rounds(left, right)
    if not len(rounds):
        raise ArgumentError("two curves must share a checkpoint to be compared")
    samples = [
        mine.regret[here][:, np.isin(mine.rounds, rounds)]
        - theirs.regret[there][:, np.isin(theirs.rounds, rounds)]
        for mine, theirs, here, there in shared_games(left, right)
    ]
    return Paired(rounds, *mean_and_error(samples), sum(len(sample) for sample in samples))


def mean_and_error(samples: Sequence[NDArray[np.float64]]) -> tuple[Any, Any]:
    """Mean over problems of the mean over their games (rows), and its standard error."""
    mean = np.mean([sample.mean(axis=0) for sample in samples], axis=0)
    if min(len(sample) for sample in samples) < 2:
        return mean, np.full_like(mean, np.nan)
    variances = [sample.var(axis=0, ddof=1) / len(sample) for sample in samples]
    return mean, np.sqrt(np.sum(variances, axis=0)) / len(samples)


def shared_games(
    left: TracesByProblem, right: TracesByProblem
) -> list[tuple[Trace, Trace, Any, Any]]:
    """Return, for each common problem, both traces and the rows of their common games."""
    found = []
    for problem in [problem for problem in left if problem in right]:
        mine, theirs = left[problem], right[problem]
        if (mine.click_model, mine.objective) == (theirs.click_model, theirs.objective):
            _, here, there = np.intersect1d(mine.games, theirs.games, return_indices=True)
            if len(here):
                found.append((mine, theirs, here, there))
    if not found:
        raise ArgumentError("two curves must share games of a problem to be compared")
    return found


def common_rounds(left: TracesByProblem, right: TracesByProblem) -> NDArray[np.int64]:
    """Return the checkpoints that all traces have."""
    first, *others = [*left.values(), *right.values()]
    rounds = first.rounds
    for other in others:
        rounds = np.intersect1d(rounds, other.rounds)
    return rounds


@dataclass(frozen=True)
class Estimate:
    """A mean over problems and games, with its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        digits = 1 if abs(self.mean) < 1000 else 0
        return f"{self.mean:,.{digits}f} ± {self.error:,.{digits}f}"

    @property
    def is_below_zero(self) -> bool:
        return self.mean < -max(Z * self.error, ROUNDING)

    @property
    def is_above_zero(self) -> bool:
        return self.mean > max(Z * self.error, ROUNDING)


def estimated(samples: Sequence[NDArray[np.float64]]) -> Estimate:
    """Mean over problems of the mean over their games, with its standard error."""
    if any(len(sample) < 2 for sample in samples):
        raise ArgumentError("n_games must be >= 2 to tell a difference from chance")
    mean, error = mean_and_error(samples)
    return Estimate(float(mean), float(error))


def regret_at(curve: TracesByProblem, round_: int) -> Estimate:
    return estimated([trace.at(round_) for trace in curve.values()])


def difference(left: TracesByProblem, right: TracesByProblem, round_: int) -> Estimate:
    """Regret of `left` minus that of `right`, on the games that both played."""
    return estimated(
        [
            mine.at(round_)[here] - theirs.at(round_)[there]
            for mine, theirs, here, there in shared_games(left, right)
        ]
    )


def verdict_on(excess: Estimate) -> Verdict:
    """Decide whether an estimate is below zero."""
    if excess.is_below_zero:
        return "holds"
    return "does not hold" if excess.is_above_zero else "cannot tell"


def is_below(
    left: TracesByProblem, right: TracesByProblem, round_: int, *, or_equal: bool = False
) -> Verdict:
    """Decide whether `left` loses less than `right`, or with `or_equal` not more."""
    verdict = verdict_on(difference(left, right, round_))
    return "holds" if or_equal and verdict == "cannot tell" else verdict


def growth(curve: TracesByProblem, last: int) -> Estimate:
    """How much faster regret grew in the last decade than 1.5 times the decade before.

    Regret a + b ln t grows by b ln 10 in each decade; c t^p grows by 10^p times as much in one as
    in the one before. Below 0, the growth is at most 1.5 times as much: p is less than 0.18.
    """
    samples = []
    for trace in curve.values():
        now, before, earlier = (trace.at(last // power) for power in (1, 10, 100))
        samples.append((now - before) - 1.5 * (before - earlier))
    return estimated(samples)


def slope(curve: TracesByProblem, last: int) -> Estimate:
    """Regret per unit of ln t over the last decade, fitted by least squares, game by game."""
    samples = []
    for trace in curve.values():
        chosen = (trace.rounds >= last // 10) & (trace.rounds <= last)
        x = np.log(trace.rounds[chosen])
        x = x - x.mean()
        samples.append(trace.regret[:, chosen] @ x / (x @ x))
    return estimated(samples)


def is_logarithmic(curve: TracesByProblem, last: int) -> Verdict:
    """Whether growth in the last decade is that of a logarithm, rather than of a power."""
    excess = growth(curve, last)
    constant = abs(excess.mean) <= ROUNDING and excess.error <= ROUNDING
    return "holds" if constant else verdict_on(excess)


def together(verdicts: list[Verdict]) -> Verdict:
    """Return the verdict on a sentence that makes several statements."""
    if "does not hold" in verdicts:
        return "does not hold"
    return "cannot tell" if "cannot tell" in verdicts else "holds"
