"""RBA: a bandit per position, every index or weight from scratch, every round."""

from collections.abc import Sequence
from math import exp, inf, log, sqrt

from unirank.plain.indices import budget, kl_ucb

from .randomness import POLICY, Rng


class RBATwin:
    def __init__(self, n_items: int, n_positions: int, *, seed: int, bandit: str) -> None:
        self.n_items, self.n_positions = n_items, n_positions
        self.seed, self.round, self.bandit = seed, 0, bandit
        self.pulls = [[0] * n_items for _ in range(n_positions)]
        self.rewards = [[0] * n_items for _ in range(n_positions)]
        self.losses = [[0.0] * n_items for _ in range(n_positions)]
        self.given: dict[int, list[tuple[int, float]]] = {}  # proposals, and their chances

    def rank(self) -> list[int]:
        self.round += 1
        rng = Rng(self.seed, 0, POLICY, self.round)
        ranking: list[int] = []
        self.given[self.round] = []
        for k in range(self.n_positions):
            proposal = self.propose(k, rng)
            self.given[self.round].append((proposal, self.chances(k)[proposal]))
            unused = [item for item in range(self.n_items) if item not in ranking]
            if proposal not in unused:
                proposal = unused[rng.below(self.n_positions * self.n_items + k, len(unused))]
            ranking.append(proposal)
        return ranking

    def propose(self, k: int, rng: Rng) -> int:
        first = k * self.n_items
        if self.bandit == "exp3":
            drawn = rng.uniform(first)
            for item, chance in enumerate(self.chances(k)):
                drawn -= chance
                if drawn < 0:
                    return item
            return self.n_items - 1
        index = [self.index(k, item) for item in range(self.n_items)]
        tied = [item for item in range(self.n_items) if index[item] == max(index)]
        return min(tied, key=lambda item: rng.uniform(first + item))

    def index(self, k: int, item: int) -> float:
        n, t = self.pulls[k][item], self.round - 1
        if n == 0:
            return inf
        if self.bandit == "kl-ucb":
            return kl_ucb(self.rewards[k][item] / n, n, budget(t, 3.0))
        return self.rewards[k][item] / n + sqrt(1.5 * log(t) / n)

    def chances(self, k: int) -> list[float]:
        """The chance of each item to be proposed by bandit k in the last round."""
        if self.bandit == "exp3":
            gamma = sqrt(log(self.n_items) / (self.round * self.n_items))
            least = min(self.losses[k])
            weights = [exp(-gamma * (loss - least)) for loss in self.losses[k]]
        else:
            index = [self.index(k, item) for item in range(self.n_items)]
            weights = [float(one == max(index)) for one in index]
        return [weight / sum(weights) for weight in weights]

    def update(
        self, ranking: Sequence[int], clicks: Sequence[bool], round: int | None = None
    ) -> None:
        given = self.given.pop(self.round if round is None else round)
        for k, (proposal, chance) in enumerate(given):
            reward = int(ranking[k] == proposal and clicks[k])
            self.pulls[k][proposal] += 1
            self.rewards[k][proposal] += reward
            self.losses[k][proposal] += (1 - reward) / chance

    def propensity(self, ranking: Sequence[int]) -> float:
        """The chance of this list in the last round, if nothing was learnt since."""
        product = 1.0
        for k, item in enumerate(ranking):
            chances = self.chances(k)
            clash = sum(chances[above] for above in ranking[:k])
            product *= chances[item] + clash / (self.n_items - k)
        return product
