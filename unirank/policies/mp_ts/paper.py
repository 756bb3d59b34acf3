"""MP-TS in ordinary Python: Algorithm 1 of the paper.

Komiyama, Honda and Nakagawa, "Optimal Regret Analysis of Thompson Sampling in Stochastic
Multi-armed Bandit Problem with Multiple Plays", ICML 2015.
`policy.py` is the compiled edition.
"""

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.kernels.randomness import MOST_ITEMS
from unirank.policies.plain.beta import beta
from unirank.policies.plain.selection import largest


@policies.registry.register_plain(policies.MPTS)
class MPTS(PlainPolicy):
    """Shows the items of largest sampled click rate.

    Each round: sample_i ~ Beta(1 + clicked_i, 1 + shown_i - clicked_i) for every item i; show the
    items by decreasing sample.
    """

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items, np.int64)
        self.shown = np.zeros(self.n_items, np.int64)

    def rank(self, rng: RoundRng) -> list[int]:
        counts = zip(self.clicked.tolist(), self.shown.tolist(), strict=True)
        samples = [
            beta(rng.draws, MOST_ITEMS + item, 1 + clicked, 1 + shown - clicked)
            for item, (clicked, shown) in enumerate(counts)
        ]
        return largest(samples, self.n_positions, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        self.shown[ranking] += 1
        self.clicked[ranking] += clicks
