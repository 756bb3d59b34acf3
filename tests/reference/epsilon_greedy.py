"""Epsilon-greedy: a coin, then a random list or the items by click rate, all from scratch."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from .randomness import POLICY, Rng, shuffled_prefix


class EpsilonGreedyTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        exploration: float = 0.0,
        epsilon: float | None = None,
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.round = seed, 0
        self.exploration, self.fixed = exploration, epsilon
        self.displays = [0] * n_items
        self.clicks = [0] * n_items

    @property
    def epsilon(self) -> float:
        """The chance of a random list in the last round."""
        return min(1.0, self.exploration / self.round) if self.fixed is None else self.fixed

    def rate(self, item: int) -> float | Fraction:
        if self.displays[item] == 0:
            return inf
        return Fraction(self.clicks[item], self.displays[item])

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, 0, POLICY, self.round)
        items = list(range(self.n_items))
        if rng.uniform(self.n_items) < self.epsilon:
            return shuffled_prefix(items, 0, self.n_positions, rng)[: self.n_positions]
        items.sort(key=lambda item: (-self.rate(item), rng.uniform(item)))
        return items[: self.n_positions]

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for item, click in zip(ranking, clicks, strict=True):
            self.displays[item] += 1
            self.clicks[item] += click

    def propensity(self, ranking: Sequence[int]) -> float:
        """The chance of this list in the last round, if nothing was learnt since."""
        by_chance = by_rate = Fraction(1)
        left = list(range(self.n_items))
        for item in ranking:
            best = max(self.rate(other) for other in left)
            tied = [other for other in left if self.rate(other) == best]
            by_rate *= Fraction(item in tied, len(tied))
            by_chance /= len(left)
            left.remove(item)
        return self.epsilon * float(by_chance) + (1 - self.epsilon) * float(by_rate)
