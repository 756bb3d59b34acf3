"""Epsilon-greedy: mostly the items of largest click rate, sometimes a random list.

Sutton and Barto, "Reinforcement Learning", 1998, with the decreasing schedule of Auer,
Cesa-Bianchi and Fischer, Machine Learning 2002, stated in `paper.py`: read
that first. No regret bound is known on lists: an item shown at a low position is clicked less, so
it looks worse than it is until it was shown elsewhere.

Draw n_items of a round decides whether the list is random; draws 0, 1, ... are then those of
`random_order.py`, or of `kernels/selection.py`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Positive, Probability
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND, Rng, uniform
from unirank.policies.kernels.selection import chance_of, top_k
from unirank.policies.known_examination.state import check_counts
from unirank.policies.random_order import policy as random_order

PER_ITEM = 10  # default of `exploration`, times the number of items


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items,)
    shown: NDArray[np.int64]  # (n_items,)
    rounds: NDArray[np.int64]  # (1,) rankings given
    rates: NDArray[np.float64]  # (n_items,) scratch: clicked / shown, infinite where shown is 0
    order: NDArray[np.int64]  # (n_items,) scratch of `random_order`
    picked: NDArray[np.int64]  # (n_positions,) scratch of `random_order`
    epsilon: float  # negative: decreasing
    exploration: float


@compiled
def epsilon_of(state: State) -> float:
    """Return the probability of a random list in the last round."""
    if state.epsilon >= 0.0:
        return state.epsilon
    return min(1.0, state.exploration / max(state.rounds[0], 1))


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    state.rounds[0] += 1
    if uniform(rng, state.rates.size) < epsilon_of(state):
        random_order.rank(random_order.State(state.order, state.picked), rng, ranking)
    else:
        fill_rates(state)
        top_k(state.rates, rng, ranking)


@compiled
def fill_rates(state: State) -> None:
    for item in range(state.rates.size):
        shown = state.shown[item]
        state.rates[item] = state.clicked[item] / shown if shown > 0 else np.inf


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item] += 1
        state.clicked[item] += clicks[position]


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Return the probability of any list, shown or not, in the last round."""
    random = random_order.propensity(random_order.State(state.order, state.picked), ranking)
    epsilon = epsilon_of(state)
    fill_rates(state)
    return epsilon * random + (1.0 - epsilon) * chance_of(state.rates, ranking)


def schedule(
    n_items: int, exploration: float | None, epsilon: float | None
) -> dict[str, float | None]:
    """Return both options, with the default of `exploration`; raise if both are given."""
    if epsilon is not None and exploration is not None:
        raise ArgumentError(f"exploration must be left out beside epsilon, got {exploration!r}")
    if epsilon is None and exploration is None:
        exploration = float(PER_ITEM * n_items)
    return {"exploration": exploration, "epsilon": epsilon}


@registry.register(
    "epsilon-greedy",
    spelled="Epsilon-greedy",
    paper="Sutton and Barto, 1998",
    clicks="any",
    position_order=True,
    lists="greedy or random",
    regret="none known",
)
class EpsilonGreedy(Policy):
    """Shows the items of largest click rate, and sometimes a random list.

    Use it as a simple baseline: it ignores that lower positions are clicked less.

    Parameters
    ----------
    exploration
        C > 0 in the probability min(1, c / t) of a random list in round t; by default 10
        for each item.
    epsilon
        A fixed probability of a random list, in [0, 1], in place of `exploration`.

    Examples
    --------
    >>> policy = EpsilonGreedy(items=["a", "b", "c"], n_positions=2, epsilon=0.01)
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    exploration: Positive | None = None
    epsilon: Probability | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return schedule(self.n_items, **options)

    def initial_state(self) -> State:
        return State(
            clicked=np.zeros(self.n_items, np.int64),
            shown=np.zeros(self.n_items, np.int64),
            rounds=np.zeros(1, np.int64),
            rates=np.zeros(self.n_items),
            order=np.arange(self.n_items),
            picked=np.zeros(self.n_positions, np.int64),
            epsilon=-1.0 if self.epsilon is None else self.epsilon,
            exploration=self.exploration or 1.0,
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        return {"clicked": state.clicked, "shown": state.shown, "rounds": state.rounds}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        clicked, shown = self.state.clicked, self.state.shown
        check_counts(clicked, shown)
        arguments.integer("rounds", int(self.state.rounds[0]), shown.max(), LARGEST_ROUND)
