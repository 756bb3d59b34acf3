"""UniRank in ordinary Python: Algorithm 1 of the paper, with its errata resolved.

Gauthier, Gaudel and Fromont, "UniRank: Unimodal Bandit Algorithm for Online Ranking", ICML 2022.
`unirank/policies/uni_rank` is the compiled edition, equal to this one ranking by ranking.
"""

from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.half_life import LARGEST_SCALE, aged_common, growth_of, rescaled
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.base.start_order import wins_of
from unirank.policies.base.sums import summed
from unirank.policies.plain.indices import LOGLOG_WEIGHT, budget, kl_ucb
from unirank.policies.plain.leader import elicit_leader
from unirank.policies.plain.partitions import (
    Partition,
    Subset,
    differing_clicks,
    displayed_subsets,
    draw_ranking,
    is_compatible,
    n_compatible_rankings,
)

TIE_TOLERANCE = 1e-11  # indices nearer than this are equal
FEWEST = 2.0  # with a half-life a pair counts at least so many: with fewer, every index is 1


@policies.registry.register_plain(policies.UniRank)
class UniRank(PlainPolicy):
    """Explores next to the current best ordered partition, for any click model.

    Each round: elicit the leader, weigh its neighbours by an optimistic index, play the neighbour
    of largest index if that is above 0 and the leader otherwise, and show a random list that
    respects the partition played. Learn from pairs of items that shared a subset of it, where
    exactly one was clicked.
    """

    early: Literal["leader", "explore"] = "leader"
    budget: Literal["kl-ucb", "ln"] = "kl-ucb"
    remembers = ("played",)  # the partition of a round; its clicks may come late
    pair_bytes = 16

    def start(self) -> None:
        number: Any = np.int64 if self.half_life is None else np.float64
        self.wins = np.zeros((self.n_items, self.n_items), number)  # W
        self.rounds_led: dict[Partition, float] = {}  # by displayed subsets of the leader
        self.scale = 1.0  # weight of what is learnt now; it grows if there is a half-life
        self.clock = 0  # rounds given

    def begin_with(self, order: NDArray[np.int64], trust: int) -> None:
        """Each item of the order has won a little more than half of `trust` comparisons."""
        self.wins[:] = wins_of(order, trust, self.n_items)

    def extend_state(self) -> None:
        """The last item is new: it is behind every item that has ever won, by one win."""
        ever_won = self.wins.any(axis=1)
        self.wins = np.pad(self.wins, (0, 1))
        self.wins[:-1][ever_won, -1] = self.scale

    @property
    def differences(self) -> NDArray[Any]:
        """D = W - W^T."""
        return self.wins - self.wins.T

    @property
    def comparisons(self) -> NDArray[Any]:
        """T = W + W^T."""
        return self.wins + self.wins.T

    def rank(self, rng: RoundRng) -> list[int]:
        self.rescale_if_due()
        leader = self.leader_indices()
        self._tied = self.best_partitions(leader)
        n_tied = len(self._tied)
        chosen = rng.draws.below(self.n_positions, n_tied) if n_tied > 1 else 0
        self.played: Partition = self._tied[chosen]
        shown = tuple(displayed_subsets(leader, self.n_positions))
        self.rounds_led[shown] = self.rounds_led.get(shown, 0) + self.scale
        self.age()
        return draw_ranking(self.played, self.n_positions, rng.draws)

    def age(self) -> None:
        """Let what is known count less, by letting what comes count more."""
        self.clock += 1
        if self.half_life is not None:
            self.scale *= growth_of(self.half_life)

    def rescale_if_due(self) -> None:
        """Divide by a large scale; what counts next to nothing is forgotten."""
        if self.scale > LARGEST_SCALE:
            self.wins = rescaled(self.wins, self.scale)
            self.rounds_led = {key: n / self.scale for key, n in self.rounds_led.items()}
            self.scale = 1.0

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for i, j in differing_clicks(self.played, ranking.tolist(), clicks.tolist()):
            self.wins[i, j] += self.scale

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        """Sum what both learnt; with a half-life, what both knew before has aged in both."""
        parts = [self.statistics(), theirs, common]
        share, clock = aged_common(*(part["clock"] for part in parts), half_life=self.half_life)
        won = [part["wins"] / part["scale"] for part in parts]
        led = [{k: n / part["scale"] for k, n in part["rounds_led"].items()} for part in parts]
        return {
            "wins": np.maximum(summed("wins", *won, share=share), 0).astype(self.wins.dtype),
            "rounds_led": {k: max(n, 0) for k, n in summed("leaders", *led, share=share).items()},
            "scale": 1.0,
            "clock": clock,
        }

    def leader_indices(self) -> Partition:
        """Return the partition that the statistics support, in item indices."""
        items = self.available_items
        differences = self.differences[np.ix_(items, items)].tolist()
        leader = elicit_leader(differences, self.n_positions)
        return tuple(tuple(items[i] for i in subset) for subset in leader)

    @property
    def leader(self) -> tuple[tuple[int | str, ...], ...]:
        """The ordered partition of item ids that the clicks so far support."""
        return tuple(tuple(self.items[i] for i in subset) for subset in self.leader_indices())

    def best_partitions(self, leader: Partition) -> list[Partition]:
        """Return the neighbours of largest index, or the leader if no index is above 0."""
        neighbours = self.neighbours(leader)
        best = max((index for index, _ in neighbours), default=0.0)
        if best <= 0:  # the index of the leader is 0, and it wins a tie
            return [leader]
        return [partition for index, partition in neighbours if index >= best - TIE_TOLERANCE]

    def neighbours(self, leader: Partition) -> list[tuple[float, Partition]]:
        """Return each neighbour of the leader with its index.

        A neighbour merges two subsets that follow each other, or adds one item of the rest to the
        last subset that is shown.
        """
        shown = displayed_subsets(leader, self.n_positions)
        m = len(shown)
        rest = leader[m] if len(leader) > m else ()
        found: list[tuple[float, Partition]] = []
        for c in range(m - 1):
            merged = leader[c] + leader[c + 1]
            partition = (*leader[:c], merged, *leader[c + 2 :])
            found.append((self.index(leader, leader[c], leader[c + 1]), partition))
        for j in rest:
            others = tuple(i for i in rest if i != j)
            partition = (*shown[:-1], (*shown[-1], j), *([others] if others else []))
            found.append((self.index(leader, shown[-1], (j,)), partition))
        return found

    def index(self, leader: Partition, above: Subset, below: Subset) -> float:
        """Return how much better than an item above an item below might still be."""
        shown = tuple(displayed_subsets(leader, self.n_positions))
        allowed = budget(self.rounds_led.get(shown, 0) / self.scale, LOGLOG_WEIGHT[self.budget])
        if allowed <= 0 and self.early == "explore":
            return 1.0
        return max(self.optimistic_difference(j, i, allowed) for i, j in product(above, below))

    def optimistic_difference(self, j: int, i: int, allowed: float) -> float:
        """Return 2 kl_ucb((1 + s_ji) / 2, T_ij, budget) - 1, with s_ji = D_ji / T_ij."""
        won, lost = float(self.wins[j, i]), float(self.wins[i, j])
        count = won + lost
        mean = (won - lost) / count if count > 0 else 0.0
        left = count / self.scale if self.half_life is None else max(count / self.scale, FEWEST)
        return 2 * kl_ucb((1 + mean) / 2, left, allowed) - 1

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return the mean over the tied partitions of 1 / (lists that respect it)."""
        n = self.n_positions
        chances = [
            1 / n_compatible_rankings(partition, n)
            for partition in self._tied
            if is_compatible(ranking.tolist(), partition, n)
        ]
        return sum(chances) / len(self._tied)
