"""BC-MP-TS: Thompson sampling corrected for the examination of the positions.

The bias-corrected variant of MP-TS (Komiyama, Honda and Nakagawa, ICML 2015), stated in
`paper.py`: read that first. Clicks are position-based. No regret bound is known: a
Beta distribution only approximates the posterior, which `pbm_ts.py` samples exactly.

Looks without a click are kept >= 0 at each position, not on their sum: where an item was clicked
more often than expected, the surplus is not taken from the other positions. Draws: sample i starts
from draw MOST_ITEMS + i of the round (`kernels/beta.py`); draw i orders equal samples.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.beta import beta
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import MOST_ITEMS, Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.known_examination.state import KnownExamination

CLICKED_BEFORE, SHOWN_BEFORE = 0.5, 1.0  # pseudo-counts of every item at every position


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    examination: NDArray[np.float64]  # (n_positions,)
    samples: NDArray[np.float64]  # (n_items,) of the last ranking


@compiled
def shapes_of(state: State, item: int) -> tuple[float, float]:
    """Return a and b of an item."""
    a = b = 1.0
    for position in range(state.examination.size):
        clicks = CLICKED_BEFORE + state.clicked[item, position]
        looks = state.examination[position] * (SHOWN_BEFORE + state.shown[item, position])
        a += clicks
        b += max(looks - clicks, 0.0)
    return a, b


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for item in range(state.samples.size):
        a, b = shapes_of(state, item)
        state.samples[item] = beta(rng, MOST_ITEMS + item, a, b)
    top_k(state.samples, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.clicked[item, position] += clicks[position]
        state.shown[item, position] += 1


@registry.register(
    "bc-mp-ts",
    spelled="BC-MP-TS",
    paper="Komiyama et al., ICML 2015",
    clicks="position-based",
    position_order=True,
    lists="posterior sample",
    regret="none known",
)
class BCMPTS(KnownExamination):
    """Thompson sampling that counts a display by how much users look at its position.

    Use PBM-TS instead unless speed matters: it samples the exact posterior. Do not use it where
    the examination was never measured, nor where users stop reading at a click.

    Examples
    --------
    >>> policy = BCMPTS(items=["a", "b", "c"], n_positions=2, examination=[1, 0.5])
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        return State(**self.counts(), samples=np.zeros(self.n_items))
