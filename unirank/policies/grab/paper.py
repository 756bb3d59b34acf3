"""GRAB and S-GRAB in ordinary Python.

Gauthier, Gaudel, Fromont and Lompo, "Parametric Graph for Unimodal Ranking Bandit", ICML 2021,
Algorithm 1. Read these first; `unirank/policies/grab` holds the compiled editions.
"""

from itertools import combinations, pairwise
from math import log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Count, Horizon
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.plain.assignment import best_assignment
from unirank.policies.plain.cells import PerCell
from unirank.policies.plain.indices import budget
from unirank.policies.plain.lists import Ranked, replace, swap
from unirank.policies.shared.cell_bounds import check_budget

TIE = 1e-10  # indices closer than this are equal


@policies.registry.register_plain(policies.GRAB)
class GRAB(PerCell):
    """Explores next to the list of most clicks, in the position-based model.

    Each round: find the leader, the list of largest summed means. In one of `period` rounds play
    it. In the others play the list of largest summed index among the leader and its neighbours,

        index of a list = sum over positions k of kl_ucb(mean[k, i_k], shown[k, i_k], b),
        b = ln t + 3 ln ln t,   t = rounds before this one with the same leader,

    or b = ln T if the horizon T is known. Neighbours swap the items of two positions that follow
    each other by decreasing mean, or replace the item of the position of smallest mean.
    """

    budget: Literal["leader", "horizon"] = "leader"
    horizon: Horizon | None = None
    period: Count | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        check_budget(options)
        return options

    def start(self) -> None:
        super().start()
        self.rounds_led: dict[Ranked, int] = {}

    def rank(self, rng: RoundRng) -> Ranked:
        self.draw_noise(rng)
        leader = self.leader_indices()
        t = self.rounds_led.get(leader, 0)
        self.rounds_led[leader] = t + 1
        self._tied = [leader]
        if t % (self.period or self.default_period()) != 0:
            b = budget(t, 3.0) if self.horizon is None else log(self.horizon)
            self._tied = self.best_lists(leader, b)
        return self._tied[rng.draws.below(0, len(self._tied)) if len(self._tied) > 1 else 0]

    def default_period(self) -> int:
        return self.n_items

    def weights(self) -> list[list[float]]:
        """Return the mean of each cell, with the noise that breaks ties."""
        items = range(self.n_items)
        means = [[self.mean(k, i) for i in items] for k in range(self.n_positions)]
        return self.with_noise(means)

    def leader_indices(self) -> Ranked:
        """Return the list of largest summed means, in item indices."""
        return best_assignment(self.weights())

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list of item ids with the largest summed means; () before the first round."""
        return tuple(self.items[i] for i in self.leader_indices()) if self._noise else ()

    def best_lists(self, leader: Ranked, b: float) -> list[Ranked]:
        """Return the neighbours of largest index, or the leader if no neighbour is above it."""
        neighbours = self.neighbours(leader)
        gaps = [self.gap(leader, other, b) for other in neighbours]
        best = max(gaps, default=0.0)
        if best <= TIE:
            return [leader]
        return [one for one, gap in zip(neighbours, gaps, strict=True) if gap >= best - TIE]

    def neighbours(self, leader: Ranked) -> list[Ranked]:
        """Return the L - 1 lists to explore."""
        weights = self.weights()
        order = sorted(range(self.n_positions), key=lambda k: -weights[k][leader[k]])
        swapped = [swap(leader, k, m) for k, m in pairwise(order)]
        return swapped + [replace(leader, order[-1], i) for i in self.left_out(leader)]

    def left_out(self, ranking: Ranked) -> list[int]:
        """Return the items that a list does not show."""
        return [i for i in range(self.n_items) if i not in ranking]

    def gap(self, leader: Ranked, other: Ranked, b: float) -> float:
        """Return the index of `other` less that of the leader, summed where they differ."""
        changed = [k for k in range(self.n_positions) if leader[k] != other[k]]
        return sum(self.index(k, other[k], b) for k in changed) - sum(
            self.index(k, leader[k], b) for k in changed
        )

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return 1 / (lists that tie); the noise is taken as given."""
        return (tuple(ranking.tolist()) in self._tied) / len(self._tied)


@policies.registry.register_plain(policies.SGRAB)
class SGRAB(GRAB):
    """GRAB with more neighbours: all swaps of two positions, all replacements of one item."""

    def default_period(self) -> int:
        n_items, n_positions = self.n_items, self.n_positions
        return n_positions * (2 * n_items - n_positions - 1) // 2 + 1

    def neighbours(self, leader: Ranked) -> list[Ranked]:
        """Return the K (2 L - K - 1) / 2 lists to explore."""
        positions = range(self.n_positions)
        swapped = [swap(leader, k, m) for k, m in combinations(positions, 2)]
        return swapped + [replace(leader, k, i) for k in positions for i in self.left_out(leader)]
