"""GRAB: keep the best list so far, the leader, and explore its L - 1 neighbours only.

Gauthier, Gaudel, Fromont and Lompo, "Parametric Graph for Unimodal Ranking Bandit", ICML 2021,
Algorithm 1, stated in `paper.py`: read that first. It assumes the position-based
model with unknown examination. Regret O(L / Delta log T), without knowing T.

Each round:
    leader      the list of largest sum of means, made unique by noise (`grab/state.py`)
    positions   pi_1, ..., pi_K by decreasing mean (with noise) of the leader's item
    neighbours  swap the items of pi_m and pi_m+1 (m < K), or put one of the L - K items that the
                leader lacks at pi_K: in this order, items ascending
    index       of a list: sum over positions of kl_ucb(mean, n, b), 1 for a cell never shown,
                b = ln t + 3 ln ln t, t = rounds before this one with this leader; budget="horizon":
                b = ln T. Where b <= 0 (t < 3) the index is the mean
    play        the leader if t is a multiple of the period (L by default), else the list of largest
                index (`grab/neighbours.py`): the leader if it ties; draw 0 decides between
                neighbours that tie

`propensity` is 1 over the number of neighbours that tied: the noise, drawn once for a game, is
taken as given.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.grab.neighbours import add_replacements, choose, propensity
from unirank.policies.grab.state import (
    LeaderPolicy,
    State,
    full,
    put_in_order,
    refresh_leader,
    update,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    refresh_leader(state, rng.key)
    put_in_order(state)
    if state.now[0].moved:
        state.now[0].moved = False
        state.now[0].certain_until = 0
        for place in range(state.n_swaps):
            state.first[place] = state.order[place]
            state.other[place] = state.order[place + 1]
        add_replacements(state, state.order[state.n_swaps], state.n_swaps)
    choose(state, rng, ranking)


@registry.register(
    "grab",
    paper="Gauthier et al., ICML 2021",
    clicks="position-based",
    logarithmic=True,
    lists="one, random at ties",
    regret="L/Delta log T",
)
class GRAB(LeaderPolicy):
    """Explores next to the list of most clicks, without knowing which positions are examined most.

    Use it in the position-based model with unknown examination. Not for cascading clicks: there a
    click depends on the items above. Where few clicks come or two items are nearly equal it
    explores for long, because each item learns at each position by itself.

    Parameters
    ----------
    budget
        "leader" (ln t + 3 ln ln t, t = rounds with the present leader) or "horizon" (ln T).
    horizon
        T, with budget="horizon" only.
    period
        The leader is played in one of so many rounds; by default the number of items.

    Examples
    --------
    >>> policy = GRAB(items=["a", "b", "c"], n_positions=2, seed=7)
    >>> shown = policy.rank()
    >>> policy.update(shown, clicks=shown.items)
    >>> policy.leader == shown.items
    True
    """

    kernels = PolicyKernels(rank, update, propensity=propensity, full=full)

    def initial_state(self) -> State:
        n = self.n_items
        return self.state_for(n_swaps=self.n_positions - 1, n_neighbours=n - 1, period=n)
