"""BC-MP-TS: Thompson sampling that counts a display for as much as its position is looked at.

The bias-corrected variant of MP-TS (Komiyama, Honda and Nakagawa, ICML 2015; `mp_ts.py`). Assumes a
position-based model: position k is looked at with probability examination_k, whatever is shown, and
a click takes a look. Must know the examination of every position, by decreasing order. No regret
bound is known: a Beta distribution is only near what the clicks imply (`pbm_ts.py` draws from the
distribution itself). Not for pages whose examination was never measured, nor for people who stop
reading once they are satisfied.

    S_ik = 1/2 + clicked_ik,   N_ik = 1 + shown_ik
    a_i = 1 + sum_k S_ik,      b_i = 1 + sum_k max(examination_k N_ik - S_ik, 0)
    sample_i ~ Beta(a_i, b_i)
    show       the n_positions items of largest sample, the largest first

The looks that brought no click are held positive at each position, not on their sum: where luck
brought more clicks than looks were expected, the surplus is not taken from the other positions.

Draws: sample i starts from number MOST_ITEMS + i of the round (`kernels/beta.py`), and equal
samples are put in the order of numbers i (`kernels/selection.py`). Both shapes of an item are
summed afresh when its counts change, so that they do not depend on the order of the answers.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.beta import beta
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import MOST_ITEMS, Rng
from unirank.kernels.selection import top_k
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.known_examination.state import KnownExamination

CLICKED_BEFORE, SHOWN_BEFORE = 0.5, 1.0  # pseudo-counts of every item at every position


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions) counted when answered
    examination: NDArray[np.float64]  # (n_positions,)
    shapes: NDArray[np.float64]  # (n_items, 2) a and b, derived from the counts
    samples: NDArray[np.float64]  # (n_items,) scratch


@compiled
def set_shapes(state: State, item: int) -> None:
    a = b = 1.0
    for position in range(state.examination.size):
        clicks = CLICKED_BEFORE + state.clicked[item, position]
        looks = state.examination[position] * (SHOWN_BEFORE + state.shown[item, position])
        a += clicks
        b += max(looks - clicks, 0.0)
    state.shapes[item, 0], state.shapes[item, 1] = a, b


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for item in range(state.samples.size):
        a, b = state.shapes[item, 0], state.shapes[item, 1]
        state.samples[item] = beta(rng, MOST_ITEMS + item, a, b)
    top_k(state.samples, rng, ranking)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.clicked[item, position] += clicks[position]
        state.shown[item, position] += 1
        set_shapes(state, item)


@registry.register(
    "bc-mp-ts",
    paper="Komiyama et al., ICML 2015",
    clicks="position-based",
    position_order=True,
    lists="posterior sample",
    regret="none known",
)
class BCMPTS(KnownExamination):
    """Shows the largest of random click rates, corrected for how much each position is looked at.

    >>> policy = BCMPTS(items=["a", "b", "c"], n_positions=2, examination=[1, 0.5])
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update)

    def initial_state(self) -> State:
        size = self.n_items, self.n_positions
        state = State(
            clicked=np.zeros(size, np.int64),
            shown=np.zeros(size, np.int64),
            examination=np.array(self.examination),
            shapes=np.zeros((self.n_items, 2)),
            samples=np.zeros(self.n_items),
        )
        self._derive(state)
        return state

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        self._derive(self.state)

    def _derive(self, state: State) -> None:
        for item in range(self.n_items):
            set_shapes(state, item)
