"""Random order: every ranking is as likely as any other, at every round."""

from math import perm

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.plain.partitions import shuffled_prefix


@policies.registry.register_plain(policies.RandomOrder)
class RandomOrder(PlainPolicy):
    """Shows uniformly random items in random order, and learns nothing."""

    def rank(self, rng: RoundRng) -> list[int]:
        items = self.available_items
        return shuffled_prefix(items, 0, self.n_positions, rng.draws)[: self.n_positions]

    def extend_state(self) -> None:
        """There is nothing to extend."""

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        pass

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1 / perm(len(self.available_items), self.n_positions)
