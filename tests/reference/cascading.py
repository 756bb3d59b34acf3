"""CascadeKL-UCB, CascadeUCB1 and dcmKL-UCB: every index from scratch, every round."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf, log, sqrt

from unirank.plain.indices import budget, kl_ucb

from .randomness import POLICY, Rng


class CascadingTwin(ABC):
    def __init__(self, n_items: int, n_positions: int, *, seed: int, game: int = 0) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.looks = [0] * n_items
        self.clicks = [0] * n_items

    def rank(self) -> list[int]:
        completed, self.round = self.round, self.round + 1
        if completed < self.n_items:
            return [(completed + k) % self.n_items for k in range(self.n_positions)]
        rng = Rng(self.seed, self.game, POLICY, self.round)
        index = [self.index(item, completed) for item in range(self.n_items)]
        items = sorted(range(self.n_items), key=lambda item: (-index[item], rng.uniform(item)))
        return items[: self.n_positions]

    def update(
        self, ranking: Sequence[int], clicks: Sequence[bool], round: int | None = None
    ) -> None:
        """Learn from a round, the last one unless told."""
        round = self.round if round is None else round
        n_observed = 1 if round <= self.n_items else self.n_observed(clicks)
        for item, click in list(zip(ranking, clicks, strict=True))[:n_observed]:
            self.looks[item] += 1
            self.clicks[item] += click

    def mean(self, item: int) -> float:
        return self.clicks[item] / self.looks[item] if self.looks[item] else 0.0

    def n_observed(self, clicks: Sequence[bool]) -> int:
        """Return the first clicked position, counted from 1, or the length of the list."""
        return list(clicks).index(True) + 1 if any(clicks) else len(clicks)

    @abstractmethod
    def index(self, item: int, t: int) -> float: ...


class CascadeKLUCBTwin(CascadingTwin):
    def index(self, item: int, t: int) -> float:
        return kl_ucb(self.mean(item), self.looks[item], budget(t, 3.0))


class DCMKLUCBTwin(CascadeKLUCBTwin):
    def n_observed(self, clicks: Sequence[bool]) -> int:
        """Return the last clicked position, counted from 1, or the length of the list."""
        return max((k for k, click in enumerate(clicks, 1) if click), default=len(clicks))


class CascadeUCB1Twin(CascadingTwin):
    exploration = 1.5

    def index(self, item: int, t: int) -> float:
        if self.looks[item] == 0:
            return inf
        return self.mean(item) + sqrt(self.exploration * log(t) / self.looks[item])
