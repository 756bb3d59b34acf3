"""PB-MHB, read off section 6 of our specification: every logarithm of every cell, each time."""

from collections.abc import Sequence
from math import inf, log, log1p, sqrt

from . import truncated_normal
from .randomness import POLICY, Rng


class PBMHBTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        game: int = 0,
        step: float = 1000.0,
        n_sweeps: int = 1,
        warm_start: bool = True,
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.step, self.n_sweeps, self.warm_start = step, n_sweeps, warm_start
        self.s = [[0.5] * n_positions for _ in range(n_items)]
        self.f = [[0.5] * n_positions for _ in range(n_items)]
        self.theta: list[float] = []
        self.kappa: list[float] = []

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        n = self.n_items + self.n_positions
        if self.round == 1 or not self.warm_start:
            start = [max(rng.uniform(c), 2**-54) for c in range(n)]
            self.theta = start[: self.n_items]
            self.kappa = [1.0, *start[self.n_items + 1 :]]
        for m in range(self.n_sweeps):
            for i in range(self.n_items):
                self._move(self.theta, i, rng, (2 * m + 1) * n + i, (2 * m + 2) * n + i)
            for k in range(1, self.n_positions):
                c = self.n_items + k
                self._move(self.kappa, k, rng, (2 * m + 1) * n + c, (2 * m + 2) * n + c)
        items = sorted(range(self.n_items), key=lambda i: -self.theta[i])
        positions = sorted(range(self.n_positions), key=lambda k: -self.kappa[k])
        item_at = {k: items[r] for r, k in enumerate(positions)}
        return [item_at[k] for k in range(self.n_positions)]

    def _move(self, particle: list[float], c: int, rng: Rng, draw: int, decision: int) -> None:
        """Propose another value for one coordinate, and take it with the Hastings probability."""
        sigma = self.step / sqrt(self.round)
        old = particle[c]
        log_ratio = -self._log_likelihood(particle, c)
        particle[c] = truncated_normal.draw(old, sigma, rng.uniform(draw))
        log_ratio += self._log_likelihood(particle, c)
        log_ratio += log(truncated_normal.mass(old, sigma))
        log_ratio -= log(truncated_normal.mass(particle[c], sigma))
        if log_ratio < log1p(-rng.uniform(decision)):
            particle[c] = old

    def _log_likelihood(self, particle: list[float], c: int) -> float:
        """Return the terms of the posterior's logarithm in which this coordinate occurs."""
        if particle is self.theta:
            cells = [(c, k) for k in range(self.n_positions)]
        else:
            cells = [(i, c) for i in range(self.n_items)]
        total = 0.0
        for i, k in cells:
            p = self.theta[i] * self.kappa[k]
            if p <= 0 or p >= 1:
                return -inf
            total += self.s[i][k] * log(p) + self.f[i][k] * log1p(-p)
        return total

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        for k, (i, click) in enumerate(zip(ranking, clicks, strict=True)):
            self.s[i][k] += click
            self.f[i][k] += 1 - click
