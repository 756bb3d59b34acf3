"""Counts and KL-UCB indices per item and position, with noise that breaks ties."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.plain.indices import kl_ucb

NOISE = 2.0**-30  # far less than two means differ in any realistic game


class PerCell(PlainPolicy):
    """A policy that counts, for each position k and item i, how often i was shown at k and clicked.

    The noise of a cell is drawn once for a game. It makes the best list unique.
    """

    def start(self) -> None:
        self.shown = np.zeros((self.n_positions, self.n_items), np.int64)
        self.clicked = np.zeros((self.n_positions, self.n_items), np.int64)
        self._noise: list[list[float]] = []  # drawn in the first round

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for position, item in enumerate(ranking):
            self.shown[position, item] += 1
            self.clicked[position, item] += clicks[position]

    def draw_noise(self, rng: RoundRng) -> None:
        """Draw the noise from round 0 of the game: draw k L + i belongs to cell (k, i)."""
        if not self._noise:
            draws = rng.draws.of_game()
            self._noise = [
                [NOISE * draws.uniform(k * self.n_items + i) for i in range(self.n_items)]
                for k in range(self.n_positions)
            ]

    def mean(self, position: int, item: int) -> float:
        """Return the clicks per show of a cell, or 0 if it was never shown."""
        shown = int(self.shown[position, item])
        return int(self.clicked[position, item]) / shown if shown > 0 else 0.0

    def index(self, position: int, item: int, budget: float) -> float:
        """Return kl_ucb(mean, shown, budget) of a cell, 1 if it was never shown."""
        return kl_ucb(self.mean(position, item), int(self.shown[position, item]), budget)

    def with_noise(self, values: Sequence[Sequence[float]]) -> list[list[float]]:
        """Add the noise to a value per cell."""
        return [
            [value + noise for value, noise in zip(*rows, strict=True)]
            for rows in zip(values, self._noise, strict=True)
        ]
