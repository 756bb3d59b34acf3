"""A popularity counter in ordinary Python: what a shop would write itself.

`policy.py` is the compiled edition.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Count, Examination, Positive
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.counter.policy import checked


@policies.registry.register_plain(policies.Counter)
class Counter(PlainPolicy):
    """Shows the items by clicks a view, counted again every so many rounds.

    Every `every` rounds, item i of c_i clicks and n_ik displays at position k gets the rate

        (c_i + 1) / (sum_k x_k n_ik + 1 / first_rate)

    with the `examination` x_k, 1 if none is given. Rounds until the next count show the items of
    largest rate, equal ones in the order of `items`.
    """

    every: Count = 50
    first_rate: Positive = 0.25
    examination: Examination | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return checked(options, self.n_positions)

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items, np.int64)
        self.shown = np.zeros((self.n_items, self.n_positions), np.int64)
        self.listed = np.arange(self.n_positions)  # since the last count
        self.rounds = 0

    def rank(self, rng: RoundRng) -> NDArray[np.int64]:
        if self.rounds % self.every == 0:
            looks = np.zeros(self.n_items)
            for position, examined in enumerate(self.examination or [1.0] * self.n_positions):
                looks += self.shown[:, position] * examined
            rates = (self.clicked + 1) / (looks + 1 / self.first_rate)
            self.listed = np.argsort(-rates, kind="stable")[: self.n_positions]
        self.rounds += 1
        return self.listed.copy()

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        self.shown[ranking, np.arange(self.n_positions)] += 1
        self.clicked[ranking] += clicks

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return float(np.array_equal(ranking, self.listed))
