"""PBM-PIE in ordinary Python.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016.
`policy.py` is the compiled edition.
"""

from functools import lru_cache
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Horizon, NonNegative
from unirank.policies.base.round_rng import Draws
from unirank.policies.plain.indices import kl
from unirank.policies.plain.known_examination import WithOpening
from unirank.policies.plain.selection import chance_of_order, largest

HALVINGS = 45
ROUNDING = 1e-12  # a bound this close to the mean of the last leader counts as equal to it

Counts = tuple[int, ...]  # of one item, by position
Looks = tuple[float, ...]  # examination of the positions


@policies.registry.register_plain(policies.PBMPIE)
class PBMPIE(WithOpening):
    """Shows the items of largest mean and explores at the last position.

    The leaders are the items of largest mean S_i / n_i: clicks over expected looks. A challenger is
    another item whose bound is at least the mean of the last leader. If there are challengers, one
    of them, drawn uniformly, takes the last position with probability 1/2. The bound is

        the largest q with sum over k of N_ik kl(S_ik / N_ik, kappa_k q) <= (1 + exploration) ln t
    """

    exploration: NonNegative = 0.0
    horizon: Horizon | None = None  # if known, it stands in place of t

    def choose(self, t: int, draws: Draws) -> list[int]:
        self._d = (1 + self.exploration) * log(self.horizon or t)
        self._means = [self.mean(item) for item in range(self.n_items)]
        ranking = largest(self._means, self.n_positions, draws)
        challengers = self.challengers(ranking)
        if challengers and draws.uniform(self.n_items) < 1 / 2:
            ranking[-1] = challengers[draws.below(self.n_items + 1, len(challengers))]
        return ranking

    def mean(self, item: int) -> float:
        looks = self.looks(item)
        return int(self.clicked[item].sum()) / looks if looks > 0 else 0.0

    def challengers(self, leaders: list[int]) -> list[int]:
        """Return the items that could be as attractive as the last leader."""
        x = self._means[leaders[-1]] * (1 - ROUNDING)
        others = [item for item in range(self.n_items) if item not in leaders]
        return [item for item in others if self.bound(item) >= x]

    def bound(self, item: int) -> float:
        clicked, shown = tuple(self.clicked[item].tolist()), tuple(self.shown[item].tolist())
        return bound(clicked, shown, tuple(self.examination), self._d)

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        if self.in_opening:
            return 1.0
        *first, last = ranking.tolist()
        rest = [item for item in range(self.n_items) if item not in first]
        best = max(self._means[item] for item in rest)
        tied = [item for item in rest if self._means[item] == best]
        chance = 0.0
        for leader in tied:  # each of them was as likely to be the last leader
            challengers = self.challengers([*first, leader])
            if leader == last:
                chance += 1 / 2 if challengers else 1.0
            elif last in challengers:
                chance += 1 / (2 * len(challengers))
        return chance / len(tied) * chance_of_order(self._means, first)


def divergence(q: float, clicked: Counts, shown: Counts, examination: Looks) -> float:
    """Return how far the clicks are from what attraction q would give: convex in q."""
    total = 0.0
    for s, n, kappa in zip(clicked, shown, examination, strict=True):
        if n > 0:
            total += n * kl(s / n, kappa * q)
    return total


def slope(q: float, clicked: Counts, shown: Counts, examination: Looks) -> float:
    """Return the derivative of `divergence` at q in (0, 1]."""
    total = 0.0
    for s, n, kappa in zip(clicked, shown, examination, strict=True):
        total -= s / q
        if n > s:
            total += (n - s) * kappa / (1 - kappa * q) if kappa * q < 1 else inf
    return total


@lru_cache(maxsize=1024)
def most_likely(clicked: Counts, shown: Counts, examination: Looks) -> float:
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


def bound(clicked: Counts, shown: Counts, examination: Looks, d: float) -> float:
    """Return the largest q in [qmin, 1] with divergence <= d; qmin, the best q, if none has."""
    low, high = most_likely(clicked, shown, examination), 1.0
    if divergence(1.0, clicked, shown, examination) <= d:
        return 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if divergence(middle, clicked, shown, examination) <= d:
            low = middle
        else:
            high = middle
    return low
