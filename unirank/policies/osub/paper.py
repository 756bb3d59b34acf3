"""OSUB on rankings: every list is an arm; explore only lists that differ little from the best.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1, on the graph of rankings; `unirank.lab.GraphOSUB` is the same on any graph. Two lists
are neighbours if one is the other with two positions exchanged, or with one item replaced. A list
has gamma = K (2 L - K - 1) / 2 neighbours. It assumes that every list but the best one has a better
neighbour: the position-based model with any order of positions qualifies. Regret
O(gamma / Delta log T), Delta per neighbour, without knowing T.

Random numbers of a round: draws 0 .. K-1 shuffle the leader while all lists tie, draw K chooses
among tied leaders in the order in which they were met, draw K + 1 among tied indices: the leader,
exchanges (p, q) by p and q, replacements by position and item.
"""

from collections.abc import Sequence
from itertools import combinations
from math import nan
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.kernels.indices import kl_ucb  # compiled: a round needs gamma of them
from unirank.policies.plain.indices import LOGLOG_WEIGHT, budget
from unirank.policies.plain.lists import Ranked, replace, swap
from unirank.policies.plain.partitions import shuffled_prefix

A = TypeVar("A")
MOST_ROUNDS = 2**60
HIGHEST = 1 - 2.0**-40  # above it, rounding errors would decide between lists


@registry.register(
    "osub",
    paper="Combes and Proutiere, ICML 2014",
    clicks="any",
    logarithmic=True,
    lists="one, random at ties",
    regret="K L/Delta log T",
)
class OSUB(PlainPolicy):
    """Explores lists that differ little from the best one, each list on its own.

    The reward of a list is clicks / K. The leader is the list of largest mean reward (all lists
    before the first click). It is played in its rounds 1, gamma + 2, 2 gamma + 3, ..., where gamma
    is the number of its neighbours. In other rounds the list of largest index is played, among the
    leader and its neighbours:

        index = kl_ucb(mean, plays, ln l + 3 ln ln l),   l = rounds with this leader

    Use it where few lists are possible, with any click model whose value rises from neighbour to
    neighbour towards the best list. Not for many items: it learns nothing about one list from
    another, and remembers every list it has shown.

    Parameters
    ----------
    budget
        "kl-ucb" (ln l + 3 ln ln l) or "ln" (ln l).

    Examples
    --------
    >>> policy = OSUB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(200):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=["c"] if shown.items[0] == "c" else [])
    >>> policy.leader[0]
    'c'
    """

    budget: Literal["kl-ucb", "ln"] = "kl-ucb"

    def start(self) -> None:
        self.clicks: dict[Ranked, int] = {}  # of each list, in the order in which they were met
        self.plays: dict[Ranked, int] = {}
        self.means: dict[Ranked, float] = {}  # mean reward, 0 before the first play
        self.leads: dict[Ranked, int] = {}  # rounds as leader

    def rank(self, rng: RoundRng) -> Ranked:
        leaders = self.leaders()
        leader = self._one_of(leaders, rng.draws)
        self.meet(leader)
        self.leads[leader] += 1
        around = [leader, *self.neighbours(leader)]
        tied = [leader]
        if (self.leads[leader] - 1) % len(around) != 0:
            b = budget(self.leads[leader], LOGLOG_WEIGHT[self.budget])
            tied = largest([self._optimistic(one, b) for one in around], around)
        played = tied[rng.draws.below(self.n_positions + 1, len(tied)) if len(tied) > 1 else 0]
        self.meet(played)
        self._chance = 1 / len(tied) if len(leaders) == 1 else nan
        return played

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        shown = tuple(ranking.tolist())
        self.meet(shown)  # a copy of this policy may have chosen the list
        self.plays[shown] += 1
        self.clicks[shown] += int(clicks.sum())
        self.means[shown] = self.clicks[shown] / (self.n_positions * self.plays[shown])

    def meet(self, ranking: Ranked) -> None:
        """Enter a list that was never met."""
        for counts in (self.clicks, self.plays, self.leads):
            counts.setdefault(ranking, 0)
        self.means.setdefault(ranking, 0.0)

    def _optimistic(self, ranking: Ranked, b: float) -> float:
        """Return the optimistic mean reward of a list; 1 if nothing is known against it."""
        plays = self.plays.get(ranking, 0)
        if plays == 0 or self.means[ranking] == 1:
            return 1.0
        return min(float(kl_ucb(self.means[ranking], float(plays), b)), HIGHEST)

    def leaders(self) -> list[Ranked]:
        """Return the lists of largest mean; [] before the first click, where all lists tie."""
        best = max(self.means.values(), default=0.0)
        return [one for one, mean in self.means.items() if mean == best > 0]

    def _one_of(self, leaders: list[Ranked], draws: Draws) -> Ranked:
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

    def from_compiled(self, statistics: dict[str, NDArray[Any]]) -> dict[str, Any]:
        lists = [tuple(one) for one in statistics["lists"].tolist()]
        plays = statistics["plays"]
        means = statistics["clicks"] / (self.n_positions * np.maximum(plays, 1))
        columns = {**statistics, "means": means}
        return {
            name: dict(zip(lists, columns[name].tolist(), strict=True)) for name in self._learnt
        }

    def check_learnt(self, learnt: dict[str, Any]) -> None:
        clicks, plays, leads = learnt["clicks"], learnt["plays"], learnt["leads"]
        if any(list(table) != list(clicks) for table in learnt.values()):
            raise ArgumentError("clicks, plays, means and leads must be of the same lists")
        for shown in clicks:
            numbers = all(type(item) is int and 0 <= item < self.n_items for item in shown)
            if not numbers or not len(set(shown)) == len(shown) == self.n_positions:
                raise ArgumentError(f"lists must be {self.n_positions} items, got {shown!r:.60}")
            counts = clicks[shown], plays[shown], leads[shown]
            if not all(type(count) is int and 0 <= count <= MOST_ROUNDS for count in counts):
                raise ArgumentError("clicks, plays and leads must be counts")
            reward = clicks[shown] / (self.n_positions * max(plays[shown], 1))
            if learnt["means"][shown] != reward or reward > (plays[shown] > 0):
                raise ArgumentError("means must be clicks per position and play, at most 1")

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return 1 / (lists of largest index) under a single leader; NaN where leaders tie."""
        return self._chance


def largest(values: Sequence[float], candidates: Sequence[A]) -> list[A]:
    """Return the candidates of largest value."""
    best = max(values)
    return [one for one, value in zip(candidates, values, strict=True) if value == best]
