"""Oracle: always the ranking that it was given."""

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import BestRanking
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng


@policies.registry.register_plain(policies.Oracle)
class Oracle(PlainPolicy):
    """Always shows the `ranking` that it was given, and learns nothing."""

    ranking: BestRanking

    def start(self) -> None:
        pass

    def rank(self, rng: RoundRng) -> list[int]:
        return [self.items.index(item) for item in self.ranking]

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        pass

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1.0
