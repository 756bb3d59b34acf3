"""CascadeUCB1: show the items of largest UCB1 index.

Kveton, Szepesvari, Wen and Ashkan, "Cascading Bandits: Learning to Rank in the Cascade Model", ICML
2015, Algorithm 1 with UCB1 indices, stated in `paper.py`: read that first. It
assumes the cascade model: people read from the top and leave at the first click. Regret at most
sum over the items e not among the K best of 12 / Delta_e ln T, plus L pi^2 / 3, without knowing T.

    index_i = clicked_i / examined_i + sqrt(exploration ln t / examined_i)

t is the number of rankings given before; an item that was never examined (its answer is late) has
an infinite index. `cascading/state.py` describes the opening.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Positive
from unirank.policies.cascading.state import (
    CascadingPolicy,
    State,
    opens,
    propensity,
    remember,
    update_to_first_click,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.shared.cell_bounds import mean_of


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    bonus = state.exploration * np.log(float(state.now[0].rounds - 1))
    for item in range(state.indices.size):
        cell = state.cells[item]
        state.indices[item] = np.inf
        if cell.shown > 0:
            state.indices[item] = mean_of(cell) + np.sqrt(bonus / cell.shown)
    top_k(state.indices, rng, ranking)


@registry.register(
    "cascade-ucb1",
    paper="Kveton et al., ICML 2015",
    clicks="cascade",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="(L - K)/Delta log T",
)
class CascadeUCB1(CascadingPolicy):
    """Shows the items of largest UCB1 index, for people who leave at the first click.

    Use it as a baseline where people read from the top and click at most once: CascadeKL-UCB
    explores far less where click rates are small. Not for people who skip positions.

    Parameters
    ----------
    exploration
        Factor of ln t in the index, > 0; 1.5 in the paper.

    Examples
    --------
    >>> policy = CascadeUCB1(items=["a", "b", "c"], n_positions=2, exploration=0.5)
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items[:1]))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update_to_first_click, propensity=propensity, remember=remember)
    exploration: Positive = 1.5
