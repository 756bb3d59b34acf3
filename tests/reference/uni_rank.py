"""UniRank, read off Algorithm 1 of the paper with the corrections of our specification."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

from .indices import LOGLOG_WEIGHT, budget, kl_ucb
from .leader import elicit_leader
from .partitions import (
    Partition,
    Subset,
    displayed_subsets,
    draw_ranking,
    is_compatible,
    n_compatible_rankings,
)
from .randomness import POLICY, Rng

TIE_TOLERANCE = 1e-11


class UniRankTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        game: int = 0,
        early: Literal["leader", "explore"] = "leader",
        budget: Literal["kl-ucb", "ln"] = "kl-ucb",
    ) -> None:
        self.n_positions = n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.early = early
        self.loglog_weight = LOGLOG_WEIGHT[budget]
        self.differences = [[0] * n_items for _ in range(n_items)]
        self.comparisons = [[0] * n_items for _ in range(n_items)]
        self.seen: dict[Partition, int] = {}
        self.leader: Partition = ()
        self.played: Partition = ()
        self._neighbours: list[tuple[float, Partition]] = []
        self._equally_best: list[Partition] = []

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        self.leader = elicit_leader(self.differences, self.n_positions)
        self._neighbours = self._neighbours_of_leader()
        self._equally_best = self._best_partitions()
        n_tied = len(self._equally_best)
        chosen = rng.below(self.n_positions, n_tied) if n_tied > 1 else 0
        self.played = self._equally_best[chosen]
        self.seen[self.leader] = self.seen.get(self.leader, 0) + 1
        return draw_ranking(self.played, self.n_positions, rng)

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        click_of = dict(zip(ranking, clicks, strict=True))
        for subset in displayed_subsets(self.played, self.n_positions):
            for i, j in combinations(subset, 2):
                difference = click_of.get(i, False) - click_of.get(j, False)
                if difference != 0:
                    self.differences[i][j] += difference
                    self.differences[j][i] -= difference
                    self.comparisons[i][j] += 1
                    self.comparisons[j][i] += 1

    def neighbours(self) -> list[tuple[float, Partition]]:
        """Return the neighbours of the leader that the last rank() weighed, with their indices."""
        return list(self._neighbours)

    def propensity(self, ranking: Sequence[int]) -> Fraction:
        """Return the probability that the last rank() had to give this ranking."""
        total = Fraction(0)
        for partition in self._equally_best:
            if is_compatible(ranking, partition, self.n_positions):
                total += Fraction(1, n_compatible_rankings(partition, self.n_positions))
        return total / len(self._equally_best)

    def _neighbours_of_leader(self) -> list[tuple[float, Partition]]:
        shown = displayed_subsets(self.leader, self.n_positions)
        m = len(shown)
        rest = self.leader[m] if len(self.leader) > m else ()
        neighbours: list[tuple[float, Partition]] = []
        for c in range(m - 1):
            merged = self.leader[c] + self.leader[c + 1]
            partition = (*self.leader[:c], merged, *self.leader[c + 2 :])
            neighbours.append((self._index(self.leader[c], self.leader[c + 1]), partition))
        for j in rest:
            others = tuple(i for i in rest if i != j)
            partition = (*shown[:-1], (*shown[-1], j), *([others] if others else []))
            neighbours.append((self._index(shown[-1], (j,)), partition))
        return neighbours

    def _index(self, above: Subset, below: Subset) -> float:
        """Return how much better than an item above an item below might still be."""
        leader_budget = budget(self.seen.get(self.leader, 0), self.loglog_weight)
        if leader_budget <= 0 and self.early == "explore":
            return 1.0
        return max(
            self._optimistic_difference(j, i, leader_budget) for i, j in product(above, below)
        )

    def _optimistic_difference(self, j: int, i: int, leader_budget: float) -> float:
        count = self.comparisons[j][i]
        mean_difference = self.differences[j][i] / count if count > 0 else 0.0
        return 2 * kl_ucb((1 + mean_difference) / 2, count, leader_budget) - 1

    def _best_partitions(self) -> list[Partition]:
        best = max((index for index, _ in self._neighbours), default=0.0)
        if best <= 0:  # the index of the leader is 0, and it wins a tie
            return [self.leader]
        return [partition for index, partition in self._neighbours if index >= best - TIE_TOLERANCE]
