"""PBM-UCB in ordinary Python.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016.
`policy.py` is the compiled edition.
"""

from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import NonNegative
from unirank.policies.base.round_rng import Draws
from unirank.policies.plain.known_examination import WithOpening
from unirank.policies.plain.selection import chance_of_order, largest


@policies.registry.register_plain(policies.PBMUCB)
class PBMUCB(WithOpening):
    """Shows the items of largest UCB index, for positions whose examination is known.

    With S_i clicks on item i in N_i displays, and n_i = sum of examination over these displays:

        index_i = S_i / n_i + sqrt(N_i / n_i) sqrt(d / (2 n_i))
                = S_i / n_i + sqrt(N_i / 2) / n_i sqrt(d),   d = (1 + exploration) ln t
    """

    exploration: NonNegative = 0.0

    def choose(self, t: int, draws: Draws) -> list[int]:
        self._indices = [self.index(item, t) for item in range(self.n_items)]
        return largest(self._indices, self.n_positions, draws)

    def index(self, item: int, t: int) -> float:
        clicked, shown = int(self.clicked[item].sum()), int(self.shown[item].sum())
        if shown == 0:
            return inf
        looks = self.looks(item)
        d = (1 + self.exploration) * log(t)
        return clicked / looks + sqrt(shown / 2) / looks * sqrt(d)

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        return 1.0 if self.in_opening else chance_of_order(self._indices, ranking.tolist())
