"""Random order: the floor that every policy must beat, and the unit of `unirank bench`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, below


class State(NamedTuple):
    order: NDArray[np.int64]  # (n_items,) 0, 1, 2, ... between rounds
    picked: NDArray[np.int64]  # (n_positions,)


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    # A partial Fisher-Yates shuffle, undone afterwards: O(n_positions) for any number of items.
    order, picked = state
    n_positions = ranking.size
    for position in range(n_positions):
        other = position + below(rng, position, order.size - position)
        picked[position] = other
        ranking[position] = order[other]
        order[other] = order[position]
    for position in range(n_positions):
        order[picked[position]] = picked[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    return


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    chance = 1.0
    for position in range(ranking.size):
        chance /= state.order.size - position
    return chance


@registry.register(
    "random",
    spelled="Random",
    paper="",
    clicks="any",
    lists="random",
    regret="linear",
    availability=True,
    catalogue=True,
    merge=True,
)
class RandomOrder(Policy):
    """Shows uniformly random items in random order, and learns nothing.

    Use it in simulations, as the floor that every policy must beat, or to collect unbiased logs.

    Examples
    --------
    >>> shown = RandomOrder(items=["a", "b", "c"], n_positions=2).rank()
    >>> len(shown.items), round(1 / shown.propensity)
    (2, 6)
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)

    def initial_state(self) -> State:
        return State(np.arange(self.n_items), np.zeros(self.n_positions, np.int64))

    def extend_state(self) -> None:
        self.state = self.initial_state()

    def restricted_state(self, numbers: NDArray[np.int64]) -> State:
        return State(np.arange(len(numbers)), np.zeros(self.n_positions, np.int64))

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {}
