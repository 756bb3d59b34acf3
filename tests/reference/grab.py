"""GRAB and S-GRAB, read off our specification: every list's index anew in every round."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log

from unirank.plain.indices import budget, kl_ucb

from .assignment import best_assignment
from .randomness import POLICY, Rng

TIE = 1e-10  # indices closer than this are equal
NOISE = 2.0**-30


class GRABTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        horizon: int | None = None,
        period: int | None = None,
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.round, self.horizon = seed, 0, horizon
        self.shown = [[0] * n_items for _ in range(n_positions)]
        self.clicked = [[0] * n_items for _ in range(n_positions)]
        self.lead: dict[tuple[int, ...], int] = {}
        self.period = period or self.default_period()
        rng = Rng(seed, 0, POLICY, 0)  # one number for each cell, for the whole game
        self.noise = [
            [NOISE * rng.uniform(k * n_items + i) for i in range(n_items)]
            for k in range(n_positions)
        ]
        self.n_tied = 0

    def default_period(self) -> int:
        return self.n_items

    def rank(self) -> list[int]:
        self.round += 1
        leader = self.leader()
        t = self.lead.get(leader, 0)
        self.lead[leader] = t + 1
        self.n_tied = 0
        if t % self.period == 0:
            return list(leader)
        b = budget(t, 3.0) if self.horizon is None else log(self.horizon)
        neighbours = self.neighbours(leader)
        ahead = [self.gap(leader, neighbour, b) for neighbour in neighbours]
        if max(ahead, default=0.0) <= TIE:
            return list(leader)
        tied = [one for one, gap in zip(neighbours, ahead, strict=True) if gap >= max(ahead) - TIE]
        self.n_tied = len(tied)
        draw = Rng(self.seed, 0, POLICY, self.round).below(0, len(tied)) if len(tied) > 1 else 0
        return list(tied[draw])

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for position, item in enumerate(ranking):
            self.shown[position][item] += 1
            self.clicked[position][item] += clicks[position]

    def mean(self, position: int, item: int) -> float:
        shown = self.shown[position][item]
        return self.clicked[position][item] / shown if shown > 0 else 0.0

    def weight(self, position: int, item: int) -> float:
        """Return the mean with the noise that breaks ties."""
        return self.mean(position, item) + self.noise[position][item]

    def leader(self) -> tuple[int, ...]:
        positions, items = range(self.n_positions), range(self.n_items)
        return best_assignment([[self.weight(k, i) for i in items] for k in positions])

    def neighbours(self, leader: Sequence[int]) -> list[tuple[int, ...]]:
        order = sorted(range(self.n_positions), key=lambda k: -self.weight(k, leader[k]))
        swapped = [swap(leader, k, m) for k, m in pairwise(order)]
        return swapped + [replace(leader, order[-1], i) for i in self.left_out(leader)]

    def left_out(self, ranking: Sequence[int]) -> list[int]:
        return [i for i in range(self.n_items) if i not in ranking]

    def gap(self, leader: Sequence[int], other: Sequence[int], b: float) -> float:
        """Return how far the index of `other` is above that of the leader, where they differ."""
        changed = [k for k in range(self.n_positions) if leader[k] != other[k]]
        return sum(self.index(k, other[k], b) for k in changed) - sum(
            self.index(k, leader[k], b) for k in changed
        )

    def index(self, position: int, item: int, b: float) -> float:
        return kl_ucb(self.mean(position, item), self.shown[position][item], b)


class SGRABTwin(GRABTwin):
    def default_period(self) -> int:
        n_items, n_positions = self.n_items, self.n_positions
        return n_positions * (2 * n_items - n_positions - 1) // 2 + 1

    def neighbours(self, leader: Sequence[int]) -> list[tuple[int, ...]]:
        positions = range(self.n_positions)
        swapped = [swap(leader, k, m) for k, m in combinations(positions, 2)]
        return swapped + [replace(leader, k, i) for k in positions for i in self.left_out(leader)]


def swap(ranking: Sequence[int], k: int, m: int) -> tuple[int, ...]:
    other = list(ranking)
    other[k], other[m] = ranking[m], ranking[k]
    return tuple(other)


def replace(ranking: Sequence[int], k: int, item: int) -> tuple[int, ...]:
    other = list(ranking)
    other[k] = item
    return tuple(other)
