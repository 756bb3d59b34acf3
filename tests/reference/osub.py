"""OSUB on a graph and on rankings: every mean and every index from scratch, every round."""

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import TypeVar

from unirank.plain.indices import LOGLOG_WEIGHT, budget, kl_ucb

from .randomness import POLICY, Rng, shuffled_prefix

A = TypeVar("A", bound=Hashable)
Ranked = tuple[int, ...]


class Record:
    """What is known of one arm; rewards are in 0..unit."""

    def __init__(self, unit: int) -> None:
        self.unit, self.gained, self.plays, self.leads = unit, 0.0, 0, 0

    def mean(self) -> float:
        return self.gained / (self.unit * self.plays) if self.plays else 0.0

    def index(self, budget: float) -> float:
        return kl_ucb(self.mean(), self.plays, budget)


def most_optimistic(candidates: Sequence[A], indices: Sequence[float], rng: Rng, draw: int) -> A:
    tied = [arm for arm, index in zip(candidates, indices, strict=True) if index == max(indices)]
    return tied[rng.below(draw, len(tied))] if len(tied) > 1 else tied[0]


class GraphOSUBTwin:
    def __init__(
        self, neighbours: Sequence[Sequence[int]], *, budget: str = "kl-ucb", seed: int, game: int
    ) -> None:
        self.neighbours = [sorted(near) for near in neighbours]
        self.weight = LOGLOG_WEIGHT[budget]
        self.seed, self.game, self.round = seed, game, 0
        self.records = [Record(1) for _ in neighbours]

    def choose(self) -> int:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        arms = range(len(self.records))
        leader = most_optimistic(arms, [record.mean() for record in self.records], rng, 0)
        self.records[leader].leads += 1
        leads = self.records[leader].leads
        gamma = max(len(near) for near in self.neighbours)
        if (leads - 1) % (gamma + 1) == 0:
            return leader
        around = [leader, *self.neighbours[leader]]
        now = budget(leads, self.weight)
        return most_optimistic(around, [self.records[k].index(now) for k in around], rng, 1)

    def update(self, arm: int, reward: float) -> None:
        self.records[arm].plays += 1
        self.records[arm].gained += reward


class OSUBTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        game: int = 0,
        budget: str = "kl-ucb",
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.weight = LOGLOG_WEIGHT[budget]
        self.seed, self.game, self.round = seed, game, 0
        self.records: dict[Ranked, Record] = {}  # in the order in which lists were met

    def record(self, ranking: Ranked) -> Record:
        return self.records.setdefault(ranking, Record(self.n_positions))

    def neighbours(self, ranking: Ranked) -> list[Ranked]:
        """Exchange two positions, or replace one item."""
        near = []
        for p, q in combinations(range(self.n_positions), 2):
            other = list(ranking)
            other[p], other[q] = ranking[q], ranking[p]
            near.append(tuple(other))
        for p in range(self.n_positions):
            for item in range(self.n_items):
                if item not in ranking:
                    near.append((*ranking[:p], item, *ranking[p + 1 :]))
        return near

    def leader(self, rng: Rng) -> Ranked:
        lists = list(self.records)
        means = [self.records[one].mean() for one in lists]
        if not means or max(means) == 0:  # every list ties, met or not
            items = shuffled_prefix(list(range(self.n_items)), 0, self.n_positions, rng)
            return tuple(items[: self.n_positions])
        return most_optimistic(lists, means, rng, self.n_positions)

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        leader = self.leader(rng)
        self.record(leader).leads += 1
        leads = self.record(leader).leads
        gamma = self.n_positions * (2 * self.n_items - self.n_positions - 1) // 2
        played = leader
        if (leads - 1) % (gamma + 1) != 0:
            around = [leader, *self.neighbours(leader)]
            assert len(around) == gamma + 1
            now = budget(leads, self.weight)
            unseen = Record(self.n_positions)
            indices = [self.records.get(one, unseen).index(now) for one in around]
            played = most_optimistic(around, indices, rng, self.n_positions + 1)
        self.record(played)
        return list(played)

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        record = self.records[tuple(ranking)]
        record.plays += 1
        record.gained += sum(clicks)
