"""The list of epsilon-greedy: the items by click rate, kept up to date, or a random one.

A greedy list that is still sorted once its own rates are known, and before all others, is what a
selection among all items would give: then nothing is selected, and a round costs O(n_positions).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng, uniform
from unirank.kernels.selection import top_k
from unirank.policies.baselines import random_order

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("bar", np.float64),  # no item outside `greedy` has a larger rate
    ]
)


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items,)
    shown: NDArray[np.int64]  # (n_items,)
    rates: NDArray[np.float64]  # (n_items,) clicked / shown, infinite where shown is 0
    greedy: NDArray[np.int64]  # (n_positions,) the items by rate when they were last selected
    in_greedy: NDArray[np.bool_]  # (n_items,)
    now: Any  # (1,) record NOW
    order: NDArray[np.int64]  # (n_items,) scratch: 0, 1, 2, ... between rounds
    picked: NDArray[np.int64]  # (n_positions,) scratch
    epsilon: float  # fixed, or -1: decreasing
    exploration: float


@compiled
def epsilon_of(state: State) -> float:
    """Probability of a random list in the round last given."""
    if state.epsilon >= 0.0:
        return state.epsilon
    return min(1.0, state.exploration / max(state.now[0].rounds, 1))


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    state.now[0].rounds += 1
    if uniform(rng, state.rates.size) < epsilon_of(state):
        random_order.rank(random_order.State(state.order, state.picked), rng, ranking)
        return
    if not sort_again(state):
        select(state, rng)
    for position in range(ranking.size):
        ranking[position] = state.greedy[position]


@compiled
def sort_again(state: State) -> bool:
    """Sort the greedy list by its present rates; whether it is what selection would give."""
    greedy, rates = state.greedy, state.rates
    for position in range(1, greedy.size):
        item = greedy[position]
        place = position
        while place > 0 and rates[greedy[place - 1]] < rates[item]:
            greedy[place] = greedy[place - 1]
            place -= 1
        greedy[place] = item
    for position in range(1, greedy.size):
        if rates[greedy[position - 1]] == rates[greedy[position]]:
            return False
    return rates[greedy[greedy.size - 1]] > state.now[0].bar


@compiled
def select(state: State, rng: Rng) -> None:
    """Find the greedy list among all items, and the best of the others."""
    top_k(state.rates, rng, state.greedy)
    for item in range(state.rates.size):
        state.in_greedy[item] = False
    for position in range(state.greedy.size):
        state.in_greedy[state.greedy[position]] = True
    bar = -1.0
    for item in range(state.rates.size):
        if not state.in_greedy[item]:
            bar = max(bar, state.rates[item])
    state.now[0].bar = bar


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item] += 1
        state.clicked[item] += clicks[position]
        state.rates[item] = state.clicked[item] / state.shown[item]
        if not state.in_greedy[item]:
            state.now[0].bar = max(state.now[0].bar, state.rates[item])


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Probability of any list, shown or not, in the round last given."""
    n_items = state.rates.size
    random = greedy = 1.0
    for position in range(ranking.size):
        rate = state.rates[ranking[position]]
        larger = equal = 0
        for item in range(n_items):
            larger += state.rates[item] > rate
            equal += state.rates[item] == rate
        for above in range(position):
            larger -= state.rates[ranking[above]] > rate
            equal -= state.rates[ranking[above]] == rate
        random /= n_items - position
        greedy = greedy / equal if larger == 0 else 0.0
    epsilon = epsilon_of(state)
    return epsilon * random + (1.0 - epsilon) * greedy
