"""KL-CombUCB1: show the list whose cells promise most, each cell a bandit's arm of its own.

Kveton, Wen, Ashkan and Szepesvari, "Tight Regret Bounds for Stochastic Combinatorial
Semi-Bandits", AISTATS 2015, Algorithm 1 (CombUCB1) on lists as matchings of positions and items,
with the KL-UCB indices of Combes, Talebi, Proutiere and Lelarge, "Combinatorial Bandits Revisited",
NIPS 2015. Assumes that an item is clicked at a position with a chance of its own, as in the
position-based model, and knows nothing else. Regret O(K^2 L / Delta log T), the bound of CombUCB1
for its K L arms, without knowing T. Not for cascading clicks, nor for many items: it does not see
that an item which is good at one position is good at another, and learns each cell by itself.

    u[k, i]   kl_ucb(mean[k, i], n[k, i], b), 1 for a cell never shown (`cells.py`)
    b         ln t + 3 ln ln t, t = rankings given before this one; budget="horizon": b = ln T.
              Where b <= 0 (t < 3) the index is the mean
    play      the list of largest sum over positions k of u[k, item_k] + noise[k, item_k]

The noise, drawn once for a game, makes that list unique: no other random number is read, and
`propensity` is 1, the noise taken as given. `kl_comb_ucb_list.py` finds it, solving for few of
the indices.
"""

from math import log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.assignment import no_assignment
from unirank.kernels.compiling import compiled
from unirank.kernels.exchange import HOLDER
from unirank.kernels.indices import NEVER
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.randomness import LARGEST_ROUND, Rng
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.kl_comb_ucb.best_list import (
    NOW,
    State,
    bound_all,
    bound_shown,
    find_best,
    keep_best,
)
from unirank.policies.shared.cell_bounds import (
    cells_with,
    check_budget,
    count,
    draw_noise,
    new_cells,
)

BY_ROUNDS = -1.0  # stands for ln t + 3 ln ln t
N_MENDS = 40  # of all positions, in a round: beyond that lists are as good as equal
EPOCH = 1024  # bounds are made to last for this share of the rounds so far


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    now.budget = state.budget
    if state.budget == BY_ROUNDS:
        now.budget = budget_after(now.rounds, 3.0)
    if not now.prepared:
        now.prepared = now.stale = True
        draw_noise(state.cells, rng.key)
        find_best(state, now.budget)
    if now.stale or now.rounds >= now.until:
        now.until, now.later = NEVER, now.budget
        if state.budget == BY_ROUNDS:
            now.until = now.rounds + now.rounds // EPOCH + 1
            now.later = budget_after(now.until - 1, 3.0)
        bound_all(state)
    else:
        bound_shown(state)
    keep_best(state)
    now.rounds += 1
    for position in range(ranking.size):
        ranking[position] = state.best.items[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        count(state.cells[position, item], clicks[position])
        if item != state.best.items[position]:  # a late answer
            state.now[0].stale = True


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0


@registry.register(
    "kl-comb-ucb",
    paper="Kveton et al., AISTATS 2015",
    clicks="position-based",
    logarithmic=True,
    lists="one",
    regret="K^2 L/Delta log T",
)
class KLCombUCB1(Policy):
    """Shows the list of largest summed KL-UCB indices, one for each item at each position.

    `budget` is "rounds" (ln t + 3 ln ln t, t = rounds so far) or "horizon" (ln T, which takes
    `horizon` = T).

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
        horizon = self.horizon
        return State(
            cells=new_cells(self.n_positions, self.n_items),
            weights=np.zeros((self.n_positions, self.n_items)),
            best=no_assignment(self.n_positions, self.n_items),
            holders=np.zeros(self.n_positions + 1, HOLDER),
            items=np.zeros(self.n_positions, np.int64),
            left=np.zeros((N_MENDS * self.n_positions, 2), np.int64),
            now=np.zeros(1, NOW),
            budget=BY_ROUNDS if horizon is None else log(horizon),
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            "shown": np.ascontiguousarray(self.state.cells["shown"]),
            "clicked": np.ascontiguousarray(self.state.cells["clicked"]),
            "rounds": self.state.now["rounds"],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        shown, rounds = statistics["shown"], statistics["rounds"]
        cells = cells_with(self.n_positions, self.n_items, shown, statistics["clicked"])
        if rounds.shape != (1,) or not 0 <= rounds[0] <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be one number in 0..{LARGEST_ROUND}, got {rounds}")
        self.state = self.initial_state()
        self.state.cells[...] = cells
        self.state.now["rounds"] = rounds
