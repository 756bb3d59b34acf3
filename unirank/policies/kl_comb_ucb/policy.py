"""KL-CombUCB1: show the list of largest summed KL-UCB indices, one per item and position.

Kveton, Wen, Ashkan and Szepesvari, "Tight Regret Bounds for Stochastic Combinatorial
Semi-Bandits", AISTATS 2015, Algorithm 1 (CombUCB1) on lists as matchings of positions and items,
with the KL-UCB indices of Combes, Talebi, Proutiere and Lelarge, "Combinatorial Bandits Revisited",
NIPS 2015; stated in `paper.py`: read that first. It assumes that an item is
clicked at a position with a probability of its own, as in the position-based model. Regret
O(K^2 L / Delta log T), the bound of CombUCB1 for its K L arms, without knowing T.

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
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.assignment import NOBODY, Assignment, no_assignment, solve
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget as budget_after
from unirank.policies.kernels.randomness import LARGEST_ROUND, Rng
from unirank.policies.shared.cell_bounds import (
    cells_with,
    check_budget,
    come_near,
    count,
    draw_noise,
    index_at,
    lower,
    new_cells,
    upper,
)

BY_ROUNDS = -1.0  # stands for ln t + 3 ln ln t
SHARE = 1e-4  # a point within this share of the budget bounds an index well enough
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
    find_best(state, budget, ranking)
    now.rounds += 1


@compiled
def find_best(state: State, budget: float, ranking: NDArray[np.int64]) -> None:
    """Fill `ranking` with the best list, solving for few indices.

    A list that is best with lower bounds for its own cells and upper bounds for all others is best.
    If that does not prove the first list, indices take the place of the lower bounds, and each
    further turn solves for the cells of another list.
    """
    n_positions, n_items = state.weights.shape
    ranking[0] = NOBODY
    for position in range(n_positions):
        for item in range(n_items):
            cell = state.cells[position, item]
            come_near(cell, budget, SHARE)
            state.weights[position, item] = upper(cell, budget) + cell.noise
    exact = False
    solve(state.best, state.weights)
    while not is_same(state, ranking):
        for position in range(n_positions):
            ranking[position] = state.best.items[position]
        tighten(state, budget, ranking, exact)
        solve(state.best, state.weights)
        if not exact and not is_same(state, ranking):
            exact = True
            tighten(state, budget, ranking, exact)
            solve(state.best, state.weights)


@compiled
def tighten(state: State, budget: float, ranking: NDArray[np.int64], exact: bool) -> None:
    """Replace the upper bounds of a list's cells by their indices, or by lower bounds."""
    for position in range(ranking.size):
        cell = state.cells[position, ranking[position]]
        value = index_at(cell, budget) if exact else lower(cell, budget)
        state.weights[position, ranking[position]] = value + cell.noise


@compiled
def is_same(state: State, ranking: NDArray[np.int64]) -> bool:
    """Whether `ranking` is the best list of the present weights."""
    same = True
    for position in range(ranking.size):
        same = same and ranking[position] == state.best.items[position]
    return same


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        count(state.cells[position, ranking[position]], clicks[position])


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
