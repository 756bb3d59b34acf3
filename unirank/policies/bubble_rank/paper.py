"""BubbleRank in ordinary Python: Algorithm 1 of the paper, with a pool of further items.

Li, Kveton, Lattimore, Markov, de Rijke, Szepesvari and Zoghi, "BubbleRank: Safe Online Learning to
Re-Rank via Implicit Click Feedback", UAI 2019. `unirank/policies/bubble_rank` is the compiled
edition.
"""

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Horizon, StartList
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.bubble_rank.state import start_list
from unirank.policies.plain.partitions import shuffled_prefix


@policies.registry.register_plain(policies.BubbleRank)
class BubbleRank(PlainPolicy):
    """Exchanges neighbours of a start list once they are certainly in the wrong order.

    Round t shows the base list; the neighbours (1, 2), (3, 4), ... if t is even, or (2, 3), (4, 5),
    ... if t is odd, swap with probability 1/2 unless their order is certain. With s_ij the clicks
    on i less those on j, in n_ij rounds where exactly one of both was clicked:

        i is certainly better than j if s_ij > 2 sqrt(n_ij ln(1 / delta)),   delta = 1 / horizon^4

    The paper has as many items as positions. Any others wait in a pool: where the pairs leave out
    the last position, an item of the pool stands there with probability 1/2.
    """

    horizon: Horizon
    initial: StartList | None = None
    remembers = ("parity", "other")  # t mod 2, and the item that the last one was compared with
    pair_bytes = 16

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["initial"] is not None:
            start_list(self.items, self.n_positions, options["initial"])
        return options

    def start(self) -> None:
        self.base: list[int] = []
        self.pool: list[int] = []
        self.differences = np.zeros((self.n_items, self.n_items), np.int64)  # s
        self.comparisons = np.zeros((self.n_items, self.n_items), np.int64)  # n
        self.given = 0  # rounds

    def choose_start(self, rng: RoundRng) -> None:
        if self.initial is not None:
            order = start_list(self.items, self.n_positions, self.initial).tolist()
        else:  # round 0 draws it, so that round 1 has all its numbers left
            draws = rng.draws.of_game()
            order = shuffled_prefix(list(range(self.n_items)), 0, self.n_positions, draws)
        self.base, self.pool = order[: self.n_positions], order[self.n_positions :]

    def certain(self, i: int, j: int) -> bool:
        """Whether i is certainly better than j."""
        delta = float(self.horizon) ** -4
        return bool(self.differences[i, j] > 2 * sqrt(int(self.comparisons[i, j]) * log(1 / delta)))

    def pairs(self) -> list[tuple[int, int]]:
        """Return the neighbouring positions, from 0, that may swap in this round."""
        return [(k, k + 1) for k in range(self.parity, self.n_positions - 1, 2)]

    def rank(self, rng: RoundRng) -> list[int]:
        if self.given == 0:
            self.choose_start(rng)
        self.given += 1
        self.parity = self.given % 2
        ranking = list(self.base)
        self._chance = 1.0
        for upper, lower in self.pairs():
            i, j = self.base[upper], self.base[lower]
            if not self.certain(i, j):
                self._chance /= 2
                if rng.draws.uniform(upper) < 1 / 2:
                    ranking[upper], ranking[lower] = j, i
        self.other: int | None = None
        if self.pool and self.parity != self.n_positions % 2:
            incumbent = self.base[-1]
            challenger = self.pool[rng.draws.below(self.n_positions, len(self.pool))]
            if rng.draws.uniform(self.n_positions - 1) < 1 / 2:
                ranking[-1], self.other = challenger, incumbent
                self._chance /= 2 * len(self.pool)
            else:
                self.other = challenger
                self._chance /= 2  # whichever challenger it was
        return ranking

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        shown, clicked = ranking.tolist(), clicks.tolist()
        for upper, lower in self.pairs():
            self.compare(shown[upper], shown[lower], clicked[upper], clicked[lower])
        if self.other is not None:
            self.compare(shown[-1], self.other, clicked[-1], False)
        self.bubble()
        self.settle()

    def compare(self, i: int, j: int, click_i: bool, click_j: bool) -> None:
        if click_i != click_j:
            self.differences[i, j] += click_i - click_j
            self.differences[j, i] -= click_i - click_j
            self.comparisons[i, j] += 1
            self.comparisons[j, i] += 1

    def bubble(self) -> None:
        """From top to bottom, exchange neighbours whose lower item is certainly better."""
        base = self.base
        for k in range(self.n_positions - 1):
            if self.certain(base[k + 1], base[k]):
                base[k], base[k + 1] = base[k + 1], base[k]

    def settle(self) -> None:
        """Drop worse items of the pool for good; let a better one replace the last of the list."""
        for item in list(self.pool):
            last = self.base[-1]
            if self.certain(last, item):
                self.pool.remove(item)
            elif self.certain(item, last):
                self.pool.remove(item)
                self.base[-1] = item

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return the probability of the list just shown."""
        return self._chance
