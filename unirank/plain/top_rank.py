"""TopRank in ordinary Python: Algorithm 1 of the paper.

Lattimore, Kveton, Li and Szepesvari, "TopRank: A Practical Algorithm for Online Stochastic
Ranking", NeurIPS 2018. `unirank/policies/top_rank` is the compiled edition.
"""

from math import erf, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.plain.partitions import (
    Partition,
    differing_clicks,
    draw_ranking,
    is_compatible,
    n_compatible_rankings,
)
from unirank.policies.base.options import Horizon
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng

CONSTANT = 4 * sqrt(2 / pi) / erf(sqrt(2))


@policies.registry.register_plain(policies.TopRank)
class TopRank(PlainPolicy):
    """Shuffles items until some are proved better than others, for any click model.

    S_ij sums click differences of i and j over rounds in which they shared a block, N_ij counts
    those that differ. Item j is proved worse than i once

        S_ij >= sqrt(2 N_ij ln(c / delta sqrt(N_ij))),   delta = 1 / horizon
    """

    horizon: Horizon
    doubling: bool = False
    constant: float = CONSTANT
    remembers = ("played",)  # the blocks of a round; its clicks may come late
    pair_bytes = 16

    def start(self) -> None:
        self.current_horizon = self.horizon  # doubled at each fresh start
        self.given = 0  # rounds
        self.forget_everything()

    def forget_everything(self) -> None:
        self.differences = np.zeros((self.n_items, self.n_items), np.int64)  # S
        self.comparisons = np.zeros((self.n_items, self.n_items), np.int64)  # N
        self.worse: set[tuple[int, int]] = set()  # (j, i): j was proved worse than i

    def extend_state(self) -> None:
        """The last item is new: nothing is proved of it."""
        self.differences = np.pad(self.differences, (0, 1))
        self.comparisons = np.pad(self.comparisons, (0, 1))

    def block_indices(self) -> Partition:
        """Return the ordered partition that the proofs so far imply, in item indices."""
        remaining = set(self.available_items)
        partition: list[tuple[int, ...]] = []
        while remaining:
            block = {
                j for j in remaining if not any((j, i) in self.worse for i in remaining)
            } or set(remaining)
            partition.append(tuple(sorted(block)))
            remaining -= block
        return tuple(partition)

    def rank(self, rng: RoundRng) -> list[int]:
        self.played = self.block_indices()
        self.given += 1
        if self.doubling and self.given == self.current_horizon:
            self.current_horizon *= 2
            self.forget_everything()
        return draw_ranking(self.played, self.n_positions, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for i, j in differing_clicks(self.played, ranking.tolist(), clicks.tolist()):
            self.differences[i, j] += 1
            self.differences[j, i] -= 1
            self.comparisons[i, j] += 1
            self.comparisons[j, i] += 1
            self.look_for_proof(i, j)

    def look_for_proof(self, i: int, j: int) -> None:
        if self.differences[i, j] >= self.threshold(int(self.comparisons[i, j])):
            self.worse.add((j, i))

    def threshold(self, n: int) -> float:
        """Return sqrt(2 n ln(c / delta sqrt(n))), delta = 1 / horizon."""
        delta = 1 / self.current_horizon
        return sqrt(2 * n * log(self.constant / delta * sqrt(n)))

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        if not is_compatible(ranking.tolist(), self.played, self.n_positions):
            return 0.0
        return 1 / n_compatible_rankings(self.played, self.n_positions)
