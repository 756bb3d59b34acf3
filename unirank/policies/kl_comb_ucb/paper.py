"""KL-CombUCB1 in ordinary Python.

Kveton, Wen, Ashkan and Szepesvari, "Tight Regret Bounds for Stochastic Combinatorial
Semi-Bandits", AISTATS 2015, Algorithm 1, with KL-UCB indices. Read this one first;
`unirank/policies/kl_comb_ucb` is the compiled edition.
"""

from math import log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Horizon
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.plain.assignment import best_assignment
from unirank.policies.plain.cells import PerCell
from unirank.policies.plain.indices import budget
from unirank.policies.shared.cell_bounds import check_budget


@policies.registry.register_plain(policies.KLCombUCB1)
class KLCombUCB1(PerCell):
    """Shows the list of largest summed KL-UCB indices, one for each item at each position.

    Each round plays the list (i_1, ..., i_K) of largest sum over positions k of

        kl_ucb(mean[k, i_k], shown[k, i_k], b) + noise[k, i_k]

    with b = ln t + 3 ln ln t, t = rankings given before; b = ln T if the horizon T is known.
    """

    budget: Literal["rounds", "horizon"] = "rounds"
    horizon: Horizon | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        check_budget(options)
        return options

    def start(self) -> None:
        super().start()
        self.given = 0  # rankings

    def rank(self, rng: RoundRng) -> tuple[int, ...]:
        self.draw_noise(rng)
        b = budget(self.given, 3.0) if self.horizon is None else log(self.horizon)
        self.given += 1
        items = range(self.n_items)
        indices = [[self.index(k, i, b) for i in items] for k in range(self.n_positions)]
        return best_assignment(self.with_noise(indices))

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return 1: the noise is taken as given."""
        return 1.0
