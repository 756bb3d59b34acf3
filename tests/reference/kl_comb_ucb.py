"""KL-CombUCB1, read off our specification: all indices and the best list anew in every round."""

from collections.abc import Sequence
from math import log

from unirank.plain.indices import budget, kl_ucb

from .assignment import best_assignment
from .randomness import POLICY, Rng

NOISE = 2.0**-30


class KLCombUCB1Twin:
    def __init__(
        self, n_items: int, n_positions: int, *, seed: int, horizon: int | None = None
    ) -> None:
        self.positions, self.items = range(n_positions), range(n_items)
        self.rounds, self.horizon = 0, horizon
        self.shown = [[0] * n_items for _ in self.positions]
        self.clicked = [[0] * n_items for _ in self.positions]
        rng = Rng(seed, 0, POLICY, 0)  # one number for each cell, for the whole game
        self.noise = [
            [NOISE * rng.uniform(k * n_items + i) for i in self.items] for k in self.positions
        ]

    def rank(self) -> list[int]:
        b = budget(self.rounds, 3.0) if self.horizon is None else log(self.horizon)
        self.rounds += 1
        weights = [
            [self.index(k, i, b) + self.noise[k][i] for i in self.items] for k in self.positions
        ]
        return list(best_assignment(weights))

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for position, item in enumerate(ranking):
            self.shown[position][item] += 1
            self.clicked[position][item] += clicks[position]

    def index(self, position: int, item: int, b: float) -> float:
        shown, clicked = self.shown[position][item], self.clicked[position][item]
        return kl_ucb(clicked / shown if shown > 0 else 0.0, shown, b)
