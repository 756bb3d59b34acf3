"""KL-CombUCB1: show the list of largest summed KL-UCB indices, one per item and position.

Kveton, Wen, Ashkan and Szepesvari, "Tight Regret Bounds for Stochastic Combinatorial
Semi-Bandits", AISTATS 2015, Algorithm 1 (CombUCB1) on lists as matchings of positions and items,
with the KL-UCB indices of Combes, Talebi, Proutiere and Lelarge, "Combinatorial Bandits Revisited",
NIPS 2015; stated in `paper.py`: read that first. It assumes that an item is
clicked at a position with a probability of its own, as in the position-based model. Regret
O(K^2 L / Delta log T), the bound of CombUCB1 for its K L arms, without knowing T.

    u[k, i]   kl_ucb(mean[k, i], n[k, i], b), 1 for a cell never shown
    b         ln t + 3 ln ln t, t = rankings given before this one; budget="horizon": b = ln T.
              Where b <= 0 (t < 3) the index is the mean
    play      the list of largest sum over positions k of u[k, item_k] + noise[k, item_k]

The noise is 2^-30 uniform(round 0, draw k L + i), the same throughout a game. It makes that list
unique: no other random number is read, and `propensity` is 1, the noise taken as given.
"""

from math import log
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.assignment import Assignment, no_assignment, solve
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.indices import kl_ucb
from unirank.policies.kernels.randomness import LARGEST_ROUND, Rng, at_round, uniform
from unirank.policies.known_examination.state import check_counts
from unirank.policies.shared.cell_bounds import NOISE, check_budget

BY_ROUNDS = -1.0  # stands for ln t + 3 ln ln t


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_positions, n_items)
    shown: NDArray[np.int64]  # (n_positions, n_items)
    rounds: NDArray[np.int64]  # (1,) rankings given
    weights: NDArray[np.float64]  # (n_positions, n_items) scratch: indices with noise
    best: Assignment
    budget: float  # ln T, or BY_ROUNDS


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    budget = state.budget
    if budget == BY_ROUNDS:
        budget = budget_after(state.rounds[0], 3.0)
    state.rounds[0] += 1
    n_positions, n_items = state.weights.shape
    first_round = at_round(rng.key, 0)
    for position in range(n_positions):
        for item in range(n_items):
            shown = np.float64(state.shown[position, item])
            mean = state.clicked[position, item] / shown if shown > 0.0 else 0.0
            noise = NOISE * uniform(first_round, position * n_items + item)
            state.weights[position, item] = kl_ucb(mean, shown, budget) + noise
    solve(state.best, state.weights)
    for position in range(n_positions):
        ranking[position] = state.best.items[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        state.shown[position, ranking[position]] += 1
        state.clicked[position, ranking[position]] += clicks[position]


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0


@registry.register(
    "kl-comb-ucb",
    spelled="KL-CombUCB1",
    paper="Kveton et al., AISTATS 2015",
    clicks="position-based",
    logarithmic=True,
    lists="one",
    regret="K^2 L/Delta log T",
)
class KLCombUCB1(Policy):
    """Shows the list of largest summed KL-UCB indices, one for each item at each position.

    Use it in the position-based model with unknown examination and few items: it does not see that
    an item which is good at one position is good at another. Not for cascading clicks.

    Parameters
    ----------
    budget
        "rounds" (ln t + 3 ln ln t, t = rounds so far) or "horizon" (ln T).
    horizon
        T, with budget="horizon" only.

    Examples
    --------
    >>> policy = KLCombUCB1(items=["a", "b"], n_positions=1, seed=7)
    >>> for _ in range(100):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "b"])
    >>> policy.rank().items
    ('b',)
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    budget: Literal["rounds", "horizon"] = "rounds"
    horizon: Horizon | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        check_budget(options)
        return options

    def initial_state(self) -> State:
        shape = self.n_positions, self.n_items
        return State(
            clicked=np.zeros(shape, np.int64),
            shown=np.zeros(shape, np.int64),
            rounds=np.zeros(1, np.int64),
            weights=np.zeros(shape),
            best=no_assignment(*shape),
            budget=BY_ROUNDS if self.horizon is None else log(self.horizon),
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        return {"shown": state.shown, "clicked": state.clicked, "rounds": state.rounds}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_counts(self.state.clicked, self.state.shown)
        rounds = self.state.rounds[0]
        if not 0 <= rounds <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds}")
