"""TopRank, read off Algorithm 1 of the paper as our specification states it."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import erf, log, pi, sqrt

from .partitions import (
    Partition,
    displayed_subsets,
    draw_ranking,
    is_compatible,
    n_compatible_rankings,
)
from .randomness import POLICY, Rng

CONSTANT = 4 * sqrt(2 / pi) / erf(sqrt(2))


class TopRankTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        game: int = 0,
        horizon: int,
        doubling: bool = False,
        constant: float = CONSTANT,
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.horizon, self.doubling, self.constant = horizon, doubling, constant
        self.played: Partition = ()
        self._forget_everything()

    def _forget_everything(self) -> None:
        self.delta = 1 / self.horizon
        self.differences = [[0] * self.n_items for _ in range(self.n_items)]  # S
        self.comparisons = [[0] * self.n_items for _ in range(self.n_items)]  # N
        self.worse: set[tuple[int, int]] = set()  # (j, i): j was proved worse than i

    def blocks(self) -> Partition:
        """Return the ordered partition that the proofs so far imply."""
        remaining = set(range(self.n_items))
        partition: list[tuple[int, ...]] = []
        while remaining:
            block = {
                j for j in remaining if not any((j, i) in self.worse for i in remaining)
            } or set(remaining)
            partition.append(tuple(sorted(block)))
            remaining -= block
        return tuple(partition)

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        self.played = self.blocks()
        return draw_ranking(self.played, self.n_positions, rng)

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        if self.doubling and self.round == self.horizon:
            self.horizon *= 2
            self._forget_everything()
        click_of = dict(zip(ranking, clicks, strict=True))
        for block in displayed_subsets(self.played, self.n_positions):
            for i, j in combinations(block, 2):
                difference = click_of.get(i, False) - click_of.get(j, False)
                if difference != 0:
                    self.differences[i][j] += difference
                    self.differences[j][i] -= difference
                    self.comparisons[i][j] += 1
                    self.comparisons[j][i] += 1
                    self._look_for_proof(i, j)
                    self._look_for_proof(j, i)

    def _look_for_proof(self, i: int, j: int) -> None:
        if self.differences[i][j] >= self.threshold(self.comparisons[i][j]):
            self.worse.add((j, i))

    def threshold(self, n: int) -> float:
        return sqrt(2 * n * log(self.constant / self.delta * sqrt(n)))

    def propensity(self, ranking: Sequence[int]) -> Fraction:
        """Return the probability that the last rank() had to give this ranking."""
        if not is_compatible(ranking, self.played, self.n_positions):
            return Fraction(0)
        return Fraction(1, n_compatible_rankings(self.played, self.n_positions))
