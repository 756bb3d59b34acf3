"""TopRank in ordinary Python: Algorithm 1 of the paper.

Lattimore, Kveton, Li and Szepesvari, "TopRank: A Practical Algorithm for Online Stochastic
Ranking", NeurIPS 2018. `unirank/policies/top_rank` is the compiled edition.
"""

from copy import copy
from math import erf, log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.errors import ArgumentError
from unirank.policies.base.half_life import LARGEST_SCALE, aged_common, growth_of, rescaled
from unirank.policies.base.options import Horizon
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.base.sums import summed
from unirank.policies.plain.partitions import (
    Partition,
    differing_clicks,
    draw_ranking,
    is_compatible,
    n_compatible_rankings,
)

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
        self.scale = 1.0  # weight of what is learnt now; it grows if there is a half-life
        self.forget_everything()

    def forget_everything(self) -> None:
        number: Any = np.int64 if self.half_life is None else np.float64
        self.wins = np.zeros((self.n_items, self.n_items), number)  # S = W - W^T, N = W + W^T
        self.worse: dict[tuple[int, int], float] = {}  # (j, i): scale at which j was proved worse

    def extend_state(self) -> None:
        """The last item is new: nothing is proved of it."""
        self.wins = np.pad(self.wins, (0, 1))

    def let_proofs_lapse(self) -> None:
        """Drop the proofs that are a half-life old; divide by a large scale."""
        if self.scale > LARGEST_SCALE:
            self.wins = rescaled(self.wins, self.scale)
            self.worse = {pair: scale / self.scale for pair, scale in self.worse.items()}
            self.scale = 1.0
        self.worse = {pair: scale for pair, scale in self.worse.items() if self.scale < 2 * scale}

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
        self.let_proofs_lapse()
        self.played = self.block_indices()
        self.given += 1
        if self.half_life is not None:
            self.scale *= growth_of(self.half_life)
        if self.doubling and self.given == self.current_horizon:
            self.current_horizon *= 2
            self.forget_everything()
        return draw_ranking(self.played, self.n_positions, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for i, j in differing_clicks(self.played, ranking.tolist(), clicks.tolist()):
            self.wins[i, j] += self.scale
            self.look_for_proof(i, j)

    def look_for_proof(self, i: int, j: int) -> None:
        won, lost = self.wins[i, j] / self.scale, self.wins[j, i] / self.scale
        if won - lost >= self.threshold(max(won + lost, 1)):
            self.worse.setdefault((j, i), self.scale)

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        """Sum the wins; what either has proved, or the sums prove, is proved."""
        mine = self.statistics()
        parts = [mine, theirs, common]
        if len({part["current_horizon"] for part in parts}) > 1:
            raise ArgumentError("other must not have started afresh since the copies parted")
        share, given = aged_common(*(part["given"] for part in parts), half_life=self.half_life)
        if self.doubling and given >= self.current_horizon:
            raise ArgumentError(
                f"other must leave a round of horizon={self.current_horizon}, got {given} in both "
                "copies"
            )
        wins = [part["wins"] / part["scale"] for part in parts]
        worse = [{k: v / part["scale"] for k, v in part["worse"].items()} for part in parts]
        merged = copy(self)
        merged.wins = np.maximum(summed("wins", *wins, share=share), 0).astype(self.wins.dtype)
        merged.worse = {k: max(w.get(k, 0) for w in worse[:2]) for k in {**worse[0], **worse[1]}}
        merged.scale, merged.given = 1.0, given
        for i, j in np.argwhere(merged.wins + merged.wins.T > 0).tolist():
            merged.look_for_proof(i, j)
        return merged.statistics()

    def threshold(self, n: float) -> float:
        """Return sqrt(2 n ln(c / delta sqrt(n))), delta = 1 / horizon."""
        delta = 1 / self.current_horizon
        return sqrt(2 * n * log(self.constant / delta * sqrt(n)))

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        if not is_compatible(ranking.tolist(), self.played, self.n_positions):
            return 0.0
        return 1 / n_compatible_rankings(self.played, self.n_positions)
