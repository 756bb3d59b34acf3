"""MP-TS and BC-MP-TS: a click rate for every item from its Beta distribution, every round."""

from collections.abc import Sequence
from math import exp, log, sqrt

from .randomness import DRAWS_PER_ROUND, POLICY, Rng


def beta(rng: Rng, draw: int, a: float, b: float) -> float:
    """Return a number of Beta(a, b) with a, b >= 1: Cheng's BA, every test in full."""
    low, high = sorted((a, b))
    total = a + b
    spread = sqrt((2 * a * b - total) / (total - 2)) if low > 1 else 1.0
    numbers = rng.chain(draw)
    for _ in range(64):
        u, v = next(numbers), next(numbers)
        y = log(u / (1 - u)) / spread
        w = low * exp(y)
        if total * log(total / (high + w)) + (low + spread) * y - log(4) >= log(u * u * v):
            return w / (high + w) if a == low else high / (high + w)
    return a / total


class SamplingTwin:
    """What Thompson sampling policies share; S and N count clicks and displays by position."""

    def __init__(self, n_items: int, n_positions: int, *, seed: int, game: int = 0) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.clicks = [[0] * n_positions for _ in range(n_items)]  # S
        self.displays = [[0] * n_positions for _ in range(n_items)]  # N
        self.samples: list[float] = []

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        items = range(self.n_items)
        self.samples = [self.sample(item, rng, DRAWS_PER_ROUND // 2 + item) for item in items]
        order = sorted(items, key=lambda item: (-self.samples[item], rng.uniform(item)))
        return order[: self.n_positions]

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for position, (item, click) in enumerate(zip(ranking, clicks, strict=True)):
            self.clicks[item][position] += click
            self.displays[item][position] += 1

    def sample(self, item: int, rng: Rng, draw: int) -> float:
        raise NotImplementedError


class MPTSTwin(SamplingTwin):
    def sample(self, item: int, rng: Rng, draw: int) -> float:
        clicked, shown = sum(self.clicks[item]), sum(self.displays[item])
        return beta(rng, draw, 1 + clicked, 1 + shown - clicked)


class KnownExaminationTwin(SamplingTwin):
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        examination: Sequence[float],
        seed: int,
        game: int = 0,
    ) -> None:
        super().__init__(n_items, n_positions, seed=seed, game=game)
        self.examination = examination  # kappa


class BCMPTSTwin(KnownExaminationTwin):
    def sample(self, item: int, rng: Rng, draw: int) -> float:
        clicks = [0.5 + count for count in self.clicks[item]]
        displays = [1 + count for count in self.displays[item]]
        refused = [
            max(kappa * n - s, 0)
            for kappa, n, s in zip(self.examination, displays, clicks, strict=True)
        ]
        return beta(rng, draw, 1 + sum(clicks), 1 + sum(refused))
