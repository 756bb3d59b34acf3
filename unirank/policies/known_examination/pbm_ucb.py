"""PBM-UCB: show the items whose optimistic attraction, by a square root, is largest.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016. Assumes
the position-based model: each position is looked at with a chance of its own, whatever was clicked
above it. Must know these chances, `examination`, and so the order of the positions. Regret
O(log T), with a larger constant than PBM-PIE, without knowing T. Not for small click rates, where a
square root is far too wide and PBM-PIE explores far less; nor where the examination is a guess:
the means are then wrong for ever, by more for items that were shown lower.

    index_i = mean_i + sqrt(shown_i / looks_i) sqrt(d / (2 looks_i)),   d = (1 + exploration) ln t

with the sums of `examined_means.py`; t is the number of rankings given before. An item without an
answer has an infinite index. Each round shows the K largest, the largest first, after an opening
of L rounds. Equal indices are put in a uniformly random order, by the draws 0..L-1: `propensity` is
1 over the number of orders which that leaves possible, so 1 where none tie.

Between two answers on an item its index is base_i + width_i sqrt(d): one logarithm and one root per
round serve all items, and the order of the last round is nearly that of the next.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng
from unirank.kernels.selection import chance_of, top_k_again
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import NonNegative
from unirank.policies.known_examination.means import (
    ExaminedMeans,
    count,
    in_opening,
    looks_at,
    opens,
)

WIDEST = 1e100  # finite, however little a position is looked at: the root can be 0


class State(NamedTuple):
    """The counts, and the two numbers of each item that its index is made of."""

    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    rounds: NDArray[np.int64]  # (1,) rankings given
    n_clicked: NDArray[np.int64]  # (n_items,) sums over the positions
    n_shown: NDArray[np.int64]  # (n_items,)
    order: NDArray[np.int64]  # (n_items,) the last ranking, then the others
    examination: NDArray[np.float64]  # (n_positions,)
    base: NDArray[np.float64]  # (n_items,)
    width: NDArray[np.float64]  # (n_items,)
    indices: NDArray[np.float64]  # (n_items,) of the last ranking
    exploration: float


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    completed = state.rounds[0] - 1
    root = np.sqrt((1.0 + state.exploration) * np.log(float(completed)))
    for item in range(state.indices.size):
        state.indices[item] = state.base[item] + state.width[item] * root
    top_k_again(state.indices, rng, state.order, ranking)


@compiled
def refresh(state: State, item: int) -> None:
    looks = looks_at(state, item)
    if looks == 0.0:
        state.base[item] = np.inf
        state.width[item] = 1.0
        return
    state.base[item] = state.n_clicked[item] / looks
    state.width[item] = min(np.sqrt(0.5 * state.n_shown[item]) / looks, WIDEST)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        count(state, ranking[position], position, clicks[position])
        refresh(state, ranking[position])


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0 if in_opening(state) else chance_of(state.indices, ranking)


@registry.register(
    "pbm-ucb",
    paper="Lagree et al., NIPS 2016",
    clicks="position-based",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="log T",
)
class PBMUCB(ExaminedMeans):
    """Shows the largest UCB indices, for positions whose examination is known.

    `examination` is the chance that each position is looked at, nowhere increasing; `exploration`
    >= 0 widens the index: its budget is (1 + exploration) ln t.

    >>> policy = PBMUCB(items=["a", "b", "c"], n_positions=2, examination=[1.0, 0.5])
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    exploration: NonNegative = 0.0

    def initial_state(self) -> State:
        return State(
            **self.shared_state(),
            base=np.full(self.n_items, np.inf),
            width=np.ones(self.n_items),
            indices=np.zeros(self.n_items),
            exploration=self.exploration,
        )

    def refresh(self, item: int) -> None:
        refresh(self.state, item)
