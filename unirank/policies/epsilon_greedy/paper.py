"""Epsilon-greedy in ordinary Python.

Sutton and Barto, "Reinforcement Learning", 1998; the decreasing schedule is that of Auer,
Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning
2002. `policy.py` is the compiled edition.
"""

from math import inf, perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Positive, Probability
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.epsilon_greedy.policy import schedule
from unirank.policies.plain.partitions import shuffled_prefix
from unirank.policies.plain.selection import chance_of_order, largest


@policies.registry.register_plain(policies.EpsilonGreedy)
class EpsilonGreedy(PlainPolicy):
    """Shows the items of largest click rate, and sometimes a random list.

    Round t shows a uniformly random list with probability `epsilon`, or min(1, exploration / t).
    Otherwise it shows the items by decreasing clicked / shown; items never shown come first.
    """

    exploration: Positive | None = None
    epsilon: Probability | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return schedule(self.n_items, **options)

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items, np.int64)
        self.shown = np.zeros(self.n_items, np.int64)
        self.given = 0  # rounds

    def rank(self, rng: RoundRng) -> list[int]:
        self.given += 1
        if rng.draws.uniform(self.n_items) < self.chance_of_random():
            items = list(range(self.n_items))
            return shuffled_prefix(items, 0, self.n_positions, rng.draws)[: self.n_positions]
        return largest(self.rates(), self.n_positions, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        self.shown[ranking] += 1
        self.clicked[ranking] += clicks

    def chance_of_random(self) -> float:
        if self.epsilon is not None:
            return self.epsilon
        return min(1.0, self.exploration / self.given)  # type: ignore[operator]

    def rates(self) -> list[float]:
        counts = zip(self.clicked.tolist(), self.shown.tolist(), strict=True)
        return [clicked / shown if shown > 0 else inf for clicked, shown in counts]

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        epsilon = self.chance_of_random()
        by_rate = chance_of_order(self.rates(), ranking.tolist())
        return epsilon / perm(self.n_items, self.n_positions) + (1 - epsilon) * by_rate
