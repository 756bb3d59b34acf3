"""PB-MHB in ordinary Python: Thompson sampling of a position-based model.

Gauthier, Gaudel and Fromont, "Position-Based Multiple-Play Bandits with Thompson Sampling", IDA
2021. `unirank/policies/pb_mhb` is the compiled edition.
"""

from math import inf, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Count, Positive
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.plain import truncated_normal


@policies.registry.register_plain(policies.PBMHB)
class PBMHB(PlainPolicy):
    """Shows the best list of one posterior sample, for position-based clicks.

    An item i at position k is clicked with probability theta_i kappa_k, where kappa_0 = 1. After
    s_ik clicks and f_ik displays without a click, both counted from 1/2, the posterior is
    proportional to

        prod_ik (theta_i kappa_k)^s_ik (1 - theta_i kappa_k)^f_ik

    Each round moves a particle (theta, kappa) by Metropolis-Hastings, one coordinate after the
    other, and shows the item of r-th largest theta at the position of r-th largest kappa.
    """

    step: Positive = 1000.0  # over the square root of the round: the width of a proposal
    n_sweeps: Count = 1  # proposals for each coordinate in a round
    warm_start: bool = True  # a round starts from the last particle, not from a random one

    def start(self) -> None:
        self.clicked = np.full((self.n_items, self.n_positions), 0.5)  # s
        self.refused = np.full((self.n_items, self.n_positions), 0.5)  # f
        self.theta = np.full(self.n_items, 0.5)
        self.kappa = np.full(self.n_positions, 0.5)
        self.given = 0  # rounds

    def rank(self, rng: RoundRng) -> list[int]:
        self.given += 1
        n_items, n = self.n_items, self.n_items + self.n_positions
        if self.given == 1 or not self.warm_start:
            start = [max(rng.draws.uniform(c), 2**-54) for c in range(n)]
            self.theta[:] = start[:n_items]
            self.kappa[:] = [1.0, *start[n_items + 1 :]]
        for sweep in range(self.n_sweeps):
            proposals, decisions = (2 * sweep + 1) * n, (2 * sweep + 2) * n
            for i in range(n_items):
                self.move(self.theta, i, rng.draws, proposals + i, decisions + i)
            for k in range(1, self.n_positions):
                c = n_items + k
                self.move(self.kappa, k, rng.draws, proposals + c, decisions + c)
        items = sorted(range(n_items), key=lambda i: -self.theta[i])
        positions = sorted(range(self.n_positions), key=lambda k: -self.kappa[k])
        item_at = dict(zip(positions, items, strict=False))
        return [item_at[k] for k in range(self.n_positions)]

    def move(
        self, particle: NDArray[np.float64], c: int, draws: Draws, proposal: int, decision: int
    ) -> None:
        """Propose another value of one coordinate, and accept it with the Hastings probability."""
        sigma = self.step / sqrt(self.given)
        old = float(particle[c])
        log_ratio = -self.log_likelihood(particle, c)
        new = truncated_normal.draw(old, sigma, draws.uniform(proposal))
        particle[c] = new
        log_ratio += self.log_likelihood(particle, c)
        log_ratio += log(truncated_normal.mass(old, sigma) / truncated_normal.mass(new, sigma))
        if log_ratio < log1p(-draws.uniform(decision)):
            particle[c] = old

    def log_likelihood(self, particle: NDArray[np.float64], c: int) -> float:
        """Return the terms of the log-posterior in which this coordinate occurs."""
        if particle is self.theta:
            cells = [(c, k) for k in range(self.n_positions)]
        else:
            cells = [(i, c) for i in range(self.n_items)]
        total = 0.0
        for i, k in cells:
            p = float(self.theta[i] * self.kappa[k])
            if p <= 0 or p >= 1:
                return -inf
            total += self.clicked[i, k] * log(p) + self.refused[i, k] * log1p(-p)
        return total

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        for position, item in enumerate(ranking.tolist()):
            self.clicked[item, position] += clicks[position]
            self.refused[item, position] += not clicks[position]
