"""OSUB on a graph: every mean and every index from scratch, every round."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

from unirank.policies.plain.indices import LOGLOG_WEIGHT, budget, kl_ucb

from .randomness import POLICY, Rng

HIGHEST = 1 - 2.0**-40  # above it, rounding errors would decide
A = TypeVar("A", bound=Hashable)


class Record:
    """What is known of one arm; rewards are in 0..unit."""

    def __init__(self, unit: int) -> None:
        self.unit, self.gained, self.plays, self.leads = unit, 0.0, 0, 0

    def mean(self) -> float:
        return self.gained / (self.unit * self.plays) if self.plays else 0.0

    def index(self, budget: float) -> float:
        index = kl_ucb(self.mean(), self.plays, budget)
        return index if index == 1 else min(index, HIGHEST)


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
