"""PBM-UCB and PBM-PIE: their counts and opening; all else from scratch, every round."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .randomness import POLICY, Rng


class ExaminedMeansTwin(ABC):
    def __init__(
        self, n_items: int, examination: Sequence[float], *, seed: int, exploration: float = 0.0
    ) -> None:
        self.n_items, self.n_positions = n_items, len(examination)
        self.examination = list(examination)
        self.exploration = exploration
        self.seed, self.round = seed, 0
        self.shown = [[0] * self.n_positions for _ in range(n_items)]
        self.clicked = [[0] * self.n_positions for _ in range(n_items)]

    def rank(self) -> list[int]:
        t, self.round = self.round, self.round + 1
        if t < self.n_items:
            return [(t + k) % self.n_items for k in range(self.n_positions)]
        return self.choose(t, Rng(self.seed, 0, POLICY, self.round))

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for k, (item, click) in enumerate(zip(ranking, clicks, strict=True)):
            self.shown[item][k] += 1
            self.clicked[item][k] += click

    def looks(self, item: int) -> float:
        looks = 0.0
        for k in range(self.n_positions):
            looks += self.examination[k] * self.shown[item][k]
        return looks

    def largest(self, values: Sequence[float], rng: Rng) -> list[int]:
        """Return the items with the n_positions largest values, the largest first."""
        order = sorted(range(self.n_items), key=lambda item: (-values[item], rng.uniform(item)))
        return order[: self.n_positions]

    @abstractmethod
    def choose(self, t: int, rng: Rng) -> list[int]:
        """Return the ranking that follows `t` others, once the opening is over."""
