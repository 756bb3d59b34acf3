"""BubbleRank, read off Algorithm 1 of the paper as our specification states it, with its pool."""

from collections.abc import Sequence
from math import log, sqrt

from .randomness import POLICY, Rng, shuffled_prefix

Shown = tuple[int, int | None]  # t mod 2, and the item that position K was compared with


class BubbleRankTwin:
    def __init__(
        self,
        n_items: int,
        n_positions: int,
        *,
        seed: int,
        game: int = 0,
        horizon: int,
        initial: Sequence[int] | None = None,
    ) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.game, self.round = seed, game, 0
        self.delta = float(horizon) ** -4
        order = list(initial) if initial is not None else self._random_order()
        order += [item for item in range(n_items) if item not in order]
        self.base, self.pool = order[:n_positions], order[n_positions:]
        self.dropped: set[int] = set()
        self.s = [[0] * n_items for _ in range(n_items)]
        self.n = [[0] * n_items for _ in range(n_items)]
        self.shown: dict[int, Shown] = {}

    def _random_order(self) -> list[int]:
        rng = Rng(self.seed, self.game, POLICY, 0)
        return shuffled_prefix(list(range(self.n_items)), 0, self.n_positions, rng)

    def certain(self, i: int, j: int) -> bool:
        """Return whether i is certainly better than j."""
        return self.s[i][j] > 2 * sqrt(self.n[i][j] * log(1 / self.delta))

    def pairs(self, h: int) -> list[tuple[int, int]]:
        """Return the pairs of positions, from 1, of a round with t mod 2 = h."""
        return [(2 * k - 1 + h, 2 * k + h) for k in range(1, (self.n_positions - h) // 2 + 1)]

    def has_pool_step(self, h: int) -> bool:
        return h != self.n_positions % 2 and self.pool != []

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, self.game, POLICY, self.round)
        h = self.round % 2
        ranking = list(self.base)
        self.propensity = 1.0
        for upper, lower in self.pairs(h):
            i, j = self.base[upper - 1], self.base[lower - 1]
            if not self.certain(i, j):
                self.propensity /= 2
                if rng.uniform(upper - 1) < 1 / 2:
                    ranking[upper - 1], ranking[lower - 1] = j, i
        other = None
        if self.has_pool_step(h):
            incumbent = self.base[-1]
            challenger = self.pool[rng.below(self.n_positions, len(self.pool))]
            if rng.uniform(self.n_positions - 1) < 1 / 2:
                ranking[-1], other = challenger, incumbent
                self.propensity /= 2 * len(self.pool)
            else:
                other = challenger
                self.propensity /= 2  # whoever it was compared with
        self.shown[self.round] = h, other
        return ranking

    def update(
        self, ranking: Sequence[int], clicks: Sequence[bool], round: int | None = None
    ) -> None:
        h, other = self.shown.pop(self.round if round is None else round)
        for upper, lower in self.pairs(h):
            self._compare(
                ranking[upper - 1], ranking[lower - 1], clicks[upper - 1], clicks[lower - 1]
            )
        if other is not None:
            self._compare(ranking[-1], other, clicks[-1], False)
        for k in range(self.n_positions - 1):
            above, below = self.base[k], self.base[k + 1]
            if self.certain(below, above):
                self.base[k], self.base[k + 1] = below, above
        for item in list(self.pool):
            incumbent = self.base[-1]
            if self.certain(incumbent, item):
                self.pool.remove(item)
                self.dropped.add(item)
            elif self.certain(item, incumbent):
                self.pool.remove(item)
                self.base[-1] = item
                self.dropped.add(incumbent)

    def _compare(self, i: int, j: int, click_i: bool, click_j: bool) -> None:
        if click_i != click_j:
            self.s[i][j] += click_i - click_j
            self.s[j][i] -= click_i - click_j
            self.n[i][j] += 1
            self.n[j][i] += 1
