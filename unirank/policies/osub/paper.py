"""OSUB on rankings in ordinary Python: every list is an arm.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1. Read this one first; `unirank/policies/osub` is the compiled edition.
"""

from collections.abc import Sequence
from itertools import combinations
from math import nan
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.grab.paper import Ranked, replace, swap
from unirank.policies.plain.indices import LOGLOG_WEIGHT, budget, kl_ucb
from unirank.policies.plain.partitions import shuffled_prefix

A = TypeVar("A")
HIGHEST = 1 - 2.0**-40  # above it, rounding errors would decide between lists


@policies.registry.register_plain(policies.OSUB)
class OSUB(PlainPolicy):
    """Tries lists that differ little from the best one, each list on its own.

    The reward of a list is clicks / K. The leader is the list of largest mean reward (all lists
    before the first click). It is played in its rounds 1, gamma + 2, 2 gamma + 3, ..., where gamma
    is the number of its neighbours. In other rounds the list of largest index is played, among the
    leader and its neighbours:

        index = kl_ucb(mean, plays, ln l + 3 ln ln l),   l = rounds with this leader
    """

    budget: Literal["kl-ucb", "ln"] = "kl-ucb"

    def start(self) -> None:
        self.clicks: dict[Ranked, int] = {}  # of each list, in the order in which they were met
        self.plays: dict[Ranked, int] = {}
        self.leads: dict[Ranked, int] = {}  # rounds as leader

    def rank(self, rng: RoundRng) -> Ranked:
        leaders = self.leaders()
        leader = self.one_of(leaders, rng.draws)
        self.meet(leader)
        self.leads[leader] += 1
        around = [leader, *self.neighbours(leader)]
        tied = [leader]
        if (self.leads[leader] - 1) % len(around) != 0:
            b = budget(self.leads[leader], LOGLOG_WEIGHT[self.budget])
            tied = largest([self.index(one, b) for one in around], around)
        played = tied[rng.draws.below(self.n_positions + 1, len(tied)) if len(tied) > 1 else 0]
        self.meet(played)
        self._chance = 1 / len(tied) if len(leaders) == 1 else nan
        return played

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        shown = tuple(ranking.tolist())
        self.plays[shown] += 1
        self.clicks[shown] += int(clicks.sum())

    def meet(self, ranking: Ranked) -> None:
        """Enter a list that was never met."""
        for counts in (self.clicks, self.plays, self.leads):
            counts.setdefault(ranking, 0)

    def mean(self, ranking: Ranked) -> float:
        """Return the mean reward of a list, or 0 if it was never played."""
        plays = self.plays.get(ranking, 0)
        return self.clicks[ranking] / (self.n_positions * plays) if plays > 0 else 0.0

    def index(self, ranking: Ranked, b: float) -> float:
        """Return the optimistic mean reward of a list, 1 if it was never played."""
        index = kl_ucb(self.mean(ranking), self.plays.get(ranking, 0), b)
        return index if index == 1 else min(index, HIGHEST)

    def leaders(self) -> list[Ranked]:
        """Return the lists of largest mean; [] before the first click, where all lists tie."""
        if not any(self.clicks.values()):
            return []
        lists = list(self.plays)
        return largest([self.mean(one) for one in lists], lists)

    def one_of(self, leaders: list[Ranked], draws: Draws) -> Ranked:
        """Choose one of the leaders, or any list if there are none."""
        if not leaders:
            order = shuffled_prefix(list(range(self.n_items)), 0, self.n_positions, draws)
            return tuple(order[: self.n_positions])
        return leaders[draws.below(self.n_positions, len(leaders)) if len(leaders) > 1 else 0]

    def neighbours(self, ranking: Ranked) -> list[Ranked]:
        """Return the lists with two positions exchanged, or with one item replaced."""
        positions = range(self.n_positions)
        swapped = [swap(ranking, p, q) for p, q in combinations(positions, 2)]
        others = [item for item in range(self.n_items) if item not in ranking]
        return swapped + [replace(ranking, p, item) for p in positions for item in others]

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list of largest mean, the first one met of those that tie; () without a click."""
        return tuple(self.items[i] for one in self.leaders()[:1] for i in one)

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return 1 / (lists of largest index) under a single leader; NaN where leaders tie."""
        return self._chance


def largest(values: Sequence[float], candidates: Sequence[A]) -> list[A]:
    """Return the candidates of largest value."""
    best = max(values)
    return [one for one, value in zip(candidates, values, strict=True) if value == best]
