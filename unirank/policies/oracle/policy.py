"""Oracle: always shows the ranking that it was given.

With the best ranking its regret is 0: a check that a simulation measures against the right list.
With any other ranking its regret grows linearly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import BestRanking
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng


class State(NamedTuple):
    best: NDArray[np.int64]  # (n_positions,)


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    for position in range(ranking.size):
        ranking[position] = state.best[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    return


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    for position in range(ranking.size):
        ranking[position] = state.best[position]
    return limit


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    for position in range(ranking.size):
        if ranking[position] != state.best[position]:
            return 0.0
    return 1.0


@registry.register(
    "oracle",
    paper="",
    clicks="any",
    lists="one",
    regret="0 if the ranking is the best",
)
class Oracle(Policy):
    """Always shows the same ranking, and learns nothing.

    Use it in simulations, as the ceiling that no policy can beat.

    Parameters
    ----------
    ranking
        The n_positions items to show, best first; in `simulate`, items of the click model as
        in its `best_ranking`.

    Examples
    --------
    >>> policy = Oracle(items=["a", "b", "c"], n_positions=2, ranking=["c", "a"])
    >>> policy.rank().items
    ('c', 'a')
    """

    kernels = PolicyKernels(rank, update, hold, propensity)
    ranking: BestRanking

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        best, n_positions = options["ranking"], self.n_positions
        if len(best) != n_positions:
            raise ArgumentError(f"ranking must have n_positions={n_positions} items, got {best!r}")
        for item in best:
            if item not in self.items:
                raise ArgumentError(f"ranking must be among the items, got {item!r}")
        return options

    def initial_state(self) -> State:
        index = {item: number for number, item in enumerate(self.items)}
        return State(np.array([index[item] for item in self.ranking], np.int64))

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {}
