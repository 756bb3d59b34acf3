"""CascadeKL-UCB, CascadeUCB1 and dcmKL-UCB in ordinary Python.

Kveton, Szepesvari, Wen and Ashkan, "Cascading Bandits: Learning to Rank in the Cascade Model", ICML
2015, Algorithm 1; Katariya, Kveton, Szepesvari and Wen, "DCM Bandits: Learning to Rank with
Multiple Clicks", ICML 2016, Algorithm 1. Read these first; `unirank/policies/cascading` holds the
compiled editions.
"""

from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Positive
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.plain.indices import budget, kl_ucb
from unirank.policies.plain.selection import chance_of_order, largest


class Cascading(PlainPolicy):
    """Shows the items of largest index, after an opening in which each item is first once.

    Subclasses define the index of an item, and how many positions were examined.
    """

    remembers = ("opening",)  # whether the round belongs to the opening; clicks may come late

    def start(self) -> None:
        self.examined = np.zeros(self.n_items, np.int64)
        self.clicked = np.zeros(self.n_items, np.int64)
        self.given = 0  # rankings

    def rank(self, rng: RoundRng) -> list[int]:
        t = self.given
        self.given += 1
        self.opening = t < self.n_items
        if self.opening:
            return [(t + k) % self.n_items for k in range(self.n_positions)]
        self._indices = [self.index(item, t) for item in range(self.n_items)]
        return largest(self._indices, self.n_positions, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        n_examined = 1 if self.opening else self.n_examined(clicks)
        self.examined[ranking[:n_examined]] += 1
        self.clicked[ranking[:n_examined]] += clicks[:n_examined]

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1.0 if self.opening else chance_of_order(self._indices, ranking.tolist())

    def mean(self, item: int) -> float:
        """Return the clicks per look at an item, or 0 if it was never examined."""
        examined = int(self.examined[item])
        return int(self.clicked[item]) / examined if examined > 0 else 0.0

    def n_examined(self, clicks: NDArray[np.bool_]) -> int:
        """Return the first clicked position, counted from 1, or the length of the list."""
        return int(clicks.argmax()) + 1 if clicks.any() else len(clicks)

    def index(self, item: int, t: int) -> float:
        """Return the optimistic click rate of an item after t rankings."""
        raise NotImplementedError


@policies.registry.register_plain(policies.CascadeKLUCB)
class CascadeKLUCB(Cascading):
    """Shows the items of largest KL-UCB index, for people who leave at the first click.

    With t rankings given before, the index of an item is

        index_i = kl_ucb(clicked_i / examined_i, examined_i, ln t + 3 ln ln t)
    """

    def index(self, item: int, t: int) -> float:
        return kl_ucb(self.mean(item), int(self.examined[item]), budget(t, 3.0))


@policies.registry.register_plain(policies.DCMKLUCB)
class DCMKLUCB(CascadeKLUCB):
    """CascadeKL-UCB for people who may go on after a click: examined up to the last click."""

    def n_examined(self, clicks: NDArray[np.bool_]) -> int:
        """Return the last clicked position, counted from 1, or the length of the list."""
        return int(np.flatnonzero(clicks)[-1]) + 1 if clicks.any() else len(clicks)


@policies.registry.register_plain(policies.CascadeUCB1)
class CascadeUCB1(Cascading):
    """Shows the items of largest UCB1 index, for people who leave at the first click.

    With t rankings given before, the index of an item is

        index_i = clicked_i / examined_i + sqrt(exploration ln t / examined_i)
    """

    exploration: Positive = 1.5

    def index(self, item: int, t: int) -> float:
        examined = int(self.examined[item])
        if examined == 0:
            return inf
        return self.mean(item) + sqrt(self.exploration * log(t) / examined)
