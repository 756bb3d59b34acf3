"""KL-CombUCB1: show the list of largest summed KL-UCB indices, one per item and position.

Kveton, Wen, Ashkan and Szepesvari, "Tight Regret Bounds for Stochastic Combinatorial
Semi-Bandits", AISTATS 2015, Algorithm 1 (CombUCB1) on lists as matchings of positions and items,
with the KL-UCB indices of Combes, Talebi, Proutiere and Lelarge, "Combinatorial Bandits Revisited",
NIPS 2015. Assumes that an item is clicked at a position with a chance of its own, as in the
position-based model, and knows nothing else. Regret O(K^2 L / Delta log T), the bound of CombUCB1
for its K L arms, without knowing T. Not for cascading clicks, nor for many items: it does not see
that an item which is good at one position is good at another, and learns each cell by itself.

    u[k, i]   kl_ucb(mean[k, i], n[k, i], b), 1 for a cell never shown (`shared/cell_bounds.py`)
    b         ln t + 3 ln ln t, t = rankings given before this one; budget="horizon": b = ln T.
              Where b <= 0 (t < 3) the index is the mean
    play      the list of largest sum over positions k of u[k, item_k] + noise[k, item_k]

The noise, drawn once for a game, makes that list unique: no other random number is read, and
`propensity` is 1, the noise taken as given.
"""

from math import log
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.assignment import NOBODY, Assignment, no_assignment, reassign
from unirank.kernels.compiling import compiled
from unirank.kernels.indices import budget as budget_after
from unirank.kernels.randomness import LARGEST_ROUND, Rng
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.shared.cell_bounds import (
    cells_with,
    check_budget,
    come_near,
    count,
    draw_noise,
    index_at,
    new_cells,
    upper,
)

BY_ROUNDS = -1.0  # stands for ln t + 3 ln ln t
SHARE = 3e-4  # a point within this share of the budget bounds an index well enough
NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("prepared", np.bool_),  # the noise was drawn
    ]
)


class State(NamedTuple):
    cells: Any  # (n_positions, n_items) records CELL
    weights: NDArray[np.float64]  # (n_positions, n_items) indices, or bounds of them, with noise
    best: Assignment
    now: Any  # (1,) record NOW
    budget: float  # ln T, or BY_ROUNDS


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    if not now.prepared:
        now.prepared = True
        draw_noise(state.cells, rng.key)
    budget = state.budget
    if budget == BY_ROUNDS:
        budget = budget_after(now.rounds, 3.0)
    find_best(state, budget)
    now.rounds += 1
    for position in range(ranking.size):
        ranking[position] = state.best.items[position]


@compiled
def find_best(state: State, budget: float) -> None:
    """Find the best list, solving for the indices of its own cells only.

    With indices on the list and upper bounds elsewhere, a list that is best is best with all
    indices. Each turn but the last solves for another cell.
    """
    n_positions, n_items = state.weights.shape
    for position in range(n_positions):
        for item in range(n_items):
            cell = state.cells[position, item]
            come_near(cell, budget, SHARE)
            state.weights[position, item] = upper(cell, budget) + cell.noise
    if state.best.items[0] != NOBODY:  # most of the last best list is in the next one
        solve_best(state, budget)
    for _ in range(n_positions * n_items + 1):
        reassign(state.best, state.weights)
        if solve_best(state, budget):
            return


@compiled
def solve_best(state: State, budget: float) -> bool:
    """Give the cells of the best list their indices; whether they had them."""
    solved = True
    for position in range(state.best.items.size):
        item = state.best.items[position]
        cell = state.cells[position, item]
        weight = index_at(cell, budget) + cell.noise
        if state.weights[position, item] != weight:
            state.weights[position, item] = weight
            solved = False
    return solved


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        count(state.cells[position, ranking[position]], clicks[position])


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
        return State(
            cells=new_cells(self.n_positions, self.n_items),
            weights=np.zeros((self.n_positions, self.n_items)),
            best=no_assignment(self.n_positions, self.n_items),
            now=np.zeros(1, NOW),
            budget=BY_ROUNDS if self.horizon is None else log(self.horizon),
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
