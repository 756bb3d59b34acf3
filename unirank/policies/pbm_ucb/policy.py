"""PBM-UCB: the items of largest UCB index, where the examination is known.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016, stated in
`paper.py`: read that first. Clicks are position-based. Regret O(log T), with a
larger constant than PBM-PIE, without knowing T. Draws 0..L-1 order equal indices.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import NonNegative
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng
from unirank.policies.kernels.selection import chance_of, top_k
from unirank.policies.known_examination.state import WithOpening, in_opening, looks_at, opens

WIDEST = 1e100  # keeps a width finite where users hardly ever look: it may be multiplied by 0


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    examination: NDArray[np.float64]  # (n_positions,)
    rounds: NDArray[np.int64]  # (1,) rankings given
    indices: NDArray[np.float64]  # (n_items,) of the last ranking
    exploration: float


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    root = np.sqrt((1.0 + state.exploration) * np.log(float(state.rounds[0] - 1)))
    for item in range(state.indices.size):
        state.indices[item] = index_of(state, item, root)
    top_k(state.indices, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item, position] += 1
        state.clicked[item, position] += clicks[position]


@compiled
def index_of(state: State, item: int, root: float) -> float:
    """Return mean + width sqrt(d), where `root` is sqrt(d); infinite without a look."""
    clicked = shown = 0
    for position in range(state.examination.size):
        clicked += state.clicked[item, position]
        shown += state.shown[item, position]
    looks = looks_at(state, item)
    if looks == 0.0:
        return np.inf
    return clicked / looks + min(np.sqrt(0.5 * shown) / looks, WIDEST) * root


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0 if in_opening(state) else chance_of(state.indices, ranking)


@registry.register(
    "pbm-ucb",
    spelled="PBM-UCB",
    paper="Lagree et al., NIPS 2016",
    clicks="position-based",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="log T",
)
class PBMUCB(WithOpening):
    """Shows the items of largest UCB index, for positions whose examination is known.

    Use PBM-PIE instead where click rates are small: it explores far less. Do not use it where the
    examination is a guess: the means then stay wrong for ever.

    Parameters
    ----------
    exploration
        >= 0, widens the index; its budget is (1 + exploration) ln t.

    Examples
    --------
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
            **self.counts(),
            rounds=np.zeros(1, np.int64),
            indices=np.zeros(self.n_items),
            exploration=self.exploration,
        )
