"""Is one curve below another, and does a curve grow like log t? Answered with a stated risk.

Two policies are compared game by game, with the standard error of `pairing`. A difference counts
if it is more than `Z` standard errors from 0, else one cannot tell. By chance alone that happens,
with one problem of 20 games, in 1 of 136 comparisons (Student's t with 19 degrees of freedom), of
10 games in 1 of 67, of 5 games in 1 of 25; with more problems less often.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab import pairing
from unirank.lab.pairing import Curve, shared_games

Z = 3.0
ROUNDING = 1e-9

Verdict = Literal["holds", "does not hold", "cannot tell"]


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


def averaged(samples: list[NDArray[np.float64]]) -> Estimate:
    """Mean over problems of the mean over their games."""
    if any(len(sample) < 2 for sample in samples):
        raise ArgumentError("n_games must be >= 2 to tell a difference from chance")
    mean, error = pairing.averaged(samples)
    return Estimate(float(mean), float(error))


def regret_at(curve: Curve, round_: int) -> Estimate:
    return averaged([trace.at(round_) for trace in curve.values()])


def difference(left: Curve, right: Curve, round_: int) -> Estimate:
    """Regret of `left` minus that of `right`, on the games that both played."""
    return averaged(
        [
            mine.at(round_)[here] - theirs.at(round_)[there]
            for mine, theirs, here, there in shared_games(left, right)
        ]
    )


def is_below(left: Curve, right: Curve, round_: int, *, or_equal: bool = False) -> Verdict:
    """Whether `left` loses less than `right`, or with `or_equal` not more."""
    gap = difference(left, right, round_)
    if gap.is_below_zero or (or_equal and not gap.is_above_zero):
        return "holds"
    return "does not hold" if gap.is_above_zero else "cannot tell"


def growth(curve: Curve, last: int) -> Estimate:
    """How much faster regret grew in the last decade than 1.5 times the decade before.

    Regret a + b ln t grows by b ln 10 in each decade; c t^p grows by 10^p times as much in one as
    in the one before. Below 0, the growth is at most 1.5 times as much: p is less than 0.18.
    """
    samples = []
    for trace in curve.values():
        now, before, earlier = (trace.at(last // power) for power in (1, 10, 100))
        samples.append((now - before) - 1.5 * (before - earlier))
    return averaged(samples)


def slope(curve: Curve, last: int) -> Estimate:
    """Regret per unit of ln t over the last decade, fitted by least squares, game by game."""
    samples = []
    for trace in curve.values():
        chosen = (trace.rounds >= last // 10) & (trace.rounds <= last)
        x = np.log(trace.rounds[chosen])
        x = x - x.mean()
        samples.append(trace.regret[:, chosen] @ x / (x @ x))
    return averaged(samples)


def is_logarithmic(curve: Curve, last: int) -> Verdict:
    """Whether growth in the last decade is that of a logarithm, rather than of a power."""
    excess = growth(curve, last)
    if excess.is_below_zero or (abs(excess.mean) <= ROUNDING and excess.error <= ROUNDING):
        return "holds"
    return "does not hold" if excess.is_above_zero else "cannot tell"


def together(verdicts: list[Verdict]) -> Verdict:
    """The verdict on a sentence that says several things at once."""
    if "does not hold" in verdicts:
        return "does not hold"
    return "cannot tell" if "cannot tell" in verdicts else "holds"
