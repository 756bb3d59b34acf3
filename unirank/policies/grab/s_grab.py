"""S-GRAB: GRAB without its order of positions, so with many more neighbours to explore.

Gauthier, Gaudel, Fromont and Lompo, "Parametric Graph for Unimodal Ranking Bandit", ICML 2021,
where it shows what GRAB's smaller graph gains; stated in `paper.py`. It is OSUB
(Combes and Proutiere, ICML 2014) with counts per item and position instead of per list. Regret
O(K L / Delta log T), without knowing T.

It differs from GRAB (`grab/policy.py`) in

    neighbours  swap the items of any two positions, or put one of the L - K items that the leader
                lacks at any position: K (2 L - K - 1) / 2 lists, in this order: swaps by first and
                then second position, then positions and items ascending
    period      number of neighbours + 1 by default
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
    refresh_leader,
    update,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    refresh_leader(state, rng.key)
    if state.now[0].moved:
        state.now[0].moved = False
        state.now[0].certain_until = 0
        number = 0
        for position in range(ranking.size):
            for other in range(position + 1, ranking.size):
                state.first[number] = position
                state.other[number] = other
                number += 1
        for position in range(ranking.size):
            number = add_replacements(state, position, number)
    choose(state, rng, ranking)


@registry.register(
    "s-grab",
    spelled="S-GRAB",
    paper="Gauthier et al., ICML 2021",
    clicks="position-based",
    logarithmic=True,
    lists="one, random at ties",
    regret="K L/Delta log T",
)
class SGRAB(LeaderPolicy):
    """Explores all swaps and replacements in the list of most clicks.

    Use it to compare with GRAB, which is the better policy under the same assumptions.

    Parameters
    ----------
    budget
        "leader" (ln t + 3 ln ln t, t = rounds with the present leader) or "horizon" (ln T).
    horizon
        T, with budget="horizon" only.
    period
        The leader is played in one of so many rounds; by default the number of neighbours + 1.

    Examples
    --------
    >>> policy = SGRAB(items=["a", "b", "c"], n_positions=2, seed=7)
    >>> shown = policy.rank()
    >>> policy.update(shown, clicks=shown.items)
    >>> policy.leader == shown.items
    True
    """

    kernels = PolicyKernels(rank, update, propensity=propensity, full=full)

    def initial_state(self) -> State:
        n_swaps = self.n_positions * (self.n_positions - 1) // 2
        n_neighbours = n_swaps + self.n_positions * (self.n_items - self.n_positions)
        return self.state_for(n_swaps=n_swaps, n_neighbours=n_neighbours, period=n_neighbours + 1)
