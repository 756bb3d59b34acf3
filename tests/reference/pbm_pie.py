"""PBM-PIE: every bound solved for, every round."""

from collections.abc import Sequence
from functools import cache
from math import inf, log
from typing import Any

from unirank.plain.indices import kl

from .examined_means import ExaminedMeansTwin
from .randomness import Rng

HALVINGS = 45
ROUNDING = 1e-12  # a bound this close to the mean of the last leader counts as equal to it


def divergence(
    q: float, clicked: Sequence[int], shown: Sequence[int], examination: Sequence[float]
) -> float:
    """Return how far the clicks are from what attraction q would give: convex in q."""
    total = 0.0
    for s, n, kappa in zip(clicked, shown, examination, strict=True):
        if n > 0:
            total += n * kl(s / n, kappa * q)
    return total


def slope(
    q: float, clicked: Sequence[int], shown: Sequence[int], examination: Sequence[float]
) -> float:
    """Return the derivative of `divergence` at q in (0, 1]."""
    total = 0.0
    for s, n, kappa in zip(clicked, shown, examination, strict=True):
        total -= s / q
        if n > s:
            total += (n - s) * kappa / (1 - kappa * q) if kappa * q < 1 else inf
    return total


@cache
def most_likely(
    clicked: tuple[int, ...], shown: tuple[int, ...], examination: tuple[float, ...]
) -> float:
    """Return the q in [0, 1] where `divergence` is least."""
    if slope(1.0, clicked, shown, examination) <= 0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if slope(middle, clicked, shown, examination) <= 0:
            low = middle
        else:
            high = middle
    return low


def bound(
    clicked: Sequence[int], shown: Sequence[int], examination: Sequence[float], d: float
) -> float:
    """Return the largest q in [qmin, 1] with divergence <= d; qmin, the best q, if none has."""
    low, high = most_likely(tuple(clicked), tuple(shown), tuple(examination)), 1.0
    if divergence(1.0, clicked, shown, examination) <= d:
        return 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if divergence(middle, clicked, shown, examination) <= d:
            low = middle
        else:
            high = middle
    return low


class PBMPIETwin(ExaminedMeansTwin):
    def __init__(self, *sizes: Any, horizon: int | None = None, **options: Any) -> None:
        super().__init__(*sizes, **options)
        self.horizon = horizon

    def mean(self, item: int) -> float:
        return sum(self.clicked[item]) / self.looks(item) if sum(self.shown[item]) else 0.0

    def choose(self, t: int, rng: Rng) -> list[int]:
        d = (1 + self.exploration) * log(self.horizon or t)
        means = [self.mean(item) for item in range(self.n_items)]
        ranking = self.largest(means, rng)
        x = means[ranking[-1]]
        challengers = [
            item
            for item in range(self.n_items)
            if item not in ranking
            and bound(self.clicked[item], self.shown[item], self.examination, d)
            >= x * (1 - ROUNDING)
        ]
        if challengers and rng.uniform(self.n_items) < 1 / 2:
            ranking[-1] = challengers[rng.below(self.n_items + 1, len(challengers))]
        return ranking
