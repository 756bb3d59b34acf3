"""MP-TS: Thompson sampling with several items shown at once.

Komiyama, Honda and Nakagawa, "Optimal Regret Analysis of Thompson Sampling in Stochastic
Multi-armed Bandit Problem with Multiple Plays", ICML 2015, Algorithm 1, stated in
`paper.py`: read that first. Regret O((L - K) / Delta log T), with the best possible
constant, where users look at every position alike.

Draws: sample i starts from draw MOST_ITEMS + i of the round (`kernels/beta.py`); draw i orders
equal samples (`kernels/selection.py`). The probability of a list has no closed form, so
`propensity` is NaN.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.beta import beta
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import MOST_ITEMS, Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.known_examination.state import check_counts


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items,)
    shown: NDArray[np.int64]  # (n_items,) counted when answered
    samples: NDArray[np.float64]  # (n_items,) scratch


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for item in range(state.samples.size):
        clicked = state.clicked[item]
        refused = state.shown[item] - clicked
        state.samples[item] = beta(rng, MOST_ITEMS + item, 1.0 + clicked, 1.0 + refused)
    top_k(state.samples, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        state.clicked[ranking[position]] += clicks[position]
        state.shown[ranking[position]] += 1


@registry.register(
    "mp-ts",
    spelled="MP-TS",
    paper="Komiyama et al., ICML 2015",
    clicks="no position bias",
    position_order=True,
    logarithmic=True,
    lists="posterior sample",
    regret="(L - K)/Delta log T",
)
class MPTS(Policy):
    """Thompson sampling: shows the items of largest sampled click rate.

    Use it where users look at every position alike. Where lower positions are looked at less, a
    good item that starts low can stay low: see BC-MP-TS and PBM-TS, which know the examination.

    Examples
    --------
    >>> policy = MPTS(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        counts = np.zeros((2, self.n_items), np.int64)
        return State(counts[0], counts[1], np.zeros(self.n_items))

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {"clicked": self.state.clicked, "shown": self.state.shown}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_counts(self.state.clicked, self.state.shown)
