"""RBA in ordinary Python: one bandit per position, Algorithm 2 of the paper.

Radlinski, Kleinberg and Joachims, "Learning Diverse Rankings with Multi-Armed Bandits", ICML 2008.
`unirank/policies/rba` is the compiled edition.
"""

from math import exp, inf, log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.plain.indices import budget, kl_ucb


@policies.registry.register_plain(policies.RBA)
class RBA(PlainPolicy):
    """Learns each position by a bandit of its own.

    The bandit of each position proposes an item. A proposal that already stands above is replaced
    by a random item that does not. The bandit is rewarded for its proposal: 1 if it was shown and
    clicked, else 0.
    """

    bandit: Literal["ucb1", "kl-ucb", "exp3"] = "ucb1"
    remembers = ("proposals", "chances")  # of a round; its clicks may come late

    def start(self) -> None:
        shape = self.n_positions, self.n_items
        self.pulled = np.zeros(shape, np.int64)  # answered proposals
        self.won = np.zeros(shape, np.int64)  # rewards they earned
        self.losses = np.zeros(shape)  # of Exp3: sum of (1 - reward) / chance of the proposal
        self.given = 0  # rounds

    def rank(self, rng: RoundRng) -> list[int]:
        self.given += 1
        self.proposals: list[int] = []
        self.chances: list[float] = []  # with which they were proposed
        self._all_chances = [self.chances_of(k) for k in range(self.n_positions)]
        ranking: list[int] = []
        for k in range(self.n_positions):
            item = self.propose(k, rng.draws)
            self.proposals.append(item)
            self.chances.append(self._all_chances[k][item])
            unused = [other for other in range(self.n_items) if other not in ranking]
            if item not in unused:
                item = unused[rng.draws.below(self.n_positions * self.n_items + k, len(unused))]
            ranking.append(item)
        return ranking

    def propose(self, k: int, draws: Draws) -> int:
        """Return the item that bandit k proposes."""
        first_draw = k * self.n_items
        if self.bandit == "exp3":
            drawn = draws.uniform(first_draw)
            for item, chance in enumerate(self._all_chances[k]):
                drawn -= chance
                if drawn < 0:
                    return item
            return self.n_items - 1
        tied = [item for item, chance in enumerate(self._all_chances[k]) if chance > 0]
        return min(tied, key=lambda item: draws.uniform(first_draw + item))

    def chances_of(self, k: int) -> list[float]:
        """Return the probability of each item to be proposed by bandit k in this round."""
        if self.bandit == "exp3":
            gamma = sqrt(log(self.n_items) / (self.given * self.n_items))
            losses = self.losses[k].tolist()
            weights = [exp(-gamma * (loss - min(losses))) for loss in losses]
        else:
            indices = [self.index(k, item) for item in range(self.n_items)]
            weights = [float(index == max(indices)) for index in indices]
        return [weight / sum(weights) for weight in weights]

    def index(self, k: int, item: int) -> float:
        """Return the optimistic reward rate of an item for bandit k."""
        n, t = int(self.pulled[k, item]), self.given - 1
        if n == 0:
            return inf
        mean = int(self.won[k, item]) / n
        if self.bandit == "kl-ucb":
            return kl_ucb(mean, n, budget(t, 3.0))
        return mean + sqrt(1.5 * log(t) / n)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for k, (item, chance) in enumerate(zip(self.proposals, self.chances, strict=True)):
            reward = int(ranking[k] == item and clicks[k])
            self.pulled[k, item] += 1
            self.won[k, item] += reward
            self.losses[k, item] += (1 - reward) / chance

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        product = 1.0
        shown = ranking.tolist()
        for k, item in enumerate(shown):
            chances = self._all_chances[k]
            clash = sum(chances[above] for above in shown[:k])
            product *= chances[item] + clash / (self.n_items - k)
        return product
