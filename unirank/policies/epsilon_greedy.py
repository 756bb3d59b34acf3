"""Epsilon-greedy: mostly the items by decreasing click rate, sometimes a random list.

The plain baseline of Sutton and Barto, "Reinforcement Learning", 1998; the decreasing schedule is
that of Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem",
Machine Learning 2002 (epsilon_n-greedy). Assumes that a better item is clicked more often wherever
it stands, and must know the order of the positions. No regret bound is known on lists. Not for a
page: an item shown at a low position is clicked less, so it looks worse than it is until it was
shown elsewhere; a fixed epsilon loses linearly, and a decreasing one may stop exploring too soon.

    clicked_i, shown_i   clicks on item i, and times that it was shown and answered, anywhere
    epsilon_t            `epsilon`, or min(1, exploration / t) in round t = 1, 2, ...

Each round:
    with probability epsilon_t    a uniformly random list
    otherwise                     the K largest clicked_i / shown_i, the largest first; items never
                                  shown come before all, equal ones in a uniformly random order

Any two answers can be counted in any order, so late ones need no memory. Draw n_items decides
between the two; draws 0, 1, ... are then those of `random_order.py`, or of `selection.py`. A list
that is still sorted, and before all others, is not selected again.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import LARGEST_ROUND, Rng, uniform
from unirank.kernels.selection import top_k
from unirank.policies import random_order
from unirank.policies.base import Policy, registry
from unirank.policies.kernels import Kernels

PER_ITEM = 10  # `exploration` by default, times the number of items

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
    for position in range(state.greedy.size):
        state.in_greedy[state.greedy[position]] = False
    top_k(state.rates, rng, state.greedy)
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


@registry.register(
    "epsilon-greedy",
    paper="Sutton and Barto, 1998",
    clicks="any",
    knows="position order",
    horizon="no",
    lists="greedy or random",
    regret="none known",
)
class EpsilonGreedy(Policy):
    """Shows the items by click rate, and now and then a random list.

    `exploration` > 0 is c in the probability min(1, c / t) of a random list in round t, by default
    10 for each item; `epsilon` in [0, 1] is a fixed probability instead.

    >>> policy = EpsilonGreedy(items=["a", "b", "c"], n_positions=2, epsilon=0.01)
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = Kernels(rank, update, propensity=propensity)

    def __init__(
        self,
        items: int | Iterable[int | str],
        n_positions: int,
        *,
        exploration: float | None = None,
        epsilon: float | None = None,
        seed: int = 0,
        max_pending: int = 100_000,
    ) -> None:
        known = arguments.item_ids(items)
        if epsilon is not None:
            epsilon = arguments.probability("epsilon", epsilon)
            if exploration is not None:
                raise ArgumentError(
                    f"exploration must not be given beside epsilon, got {exploration!r}"
                )
        else:
            given = PER_ITEM * len(known) if exploration is None else exploration
            exploration = arguments.positive("exploration", given)
        options = {"exploration": exploration, "epsilon": epsilon}
        super().__init__(known, n_positions, seed=seed, max_pending=max_pending, **options)

    def initial_state(self) -> State:
        n_items, n_positions = self.n_items, self.n_positions
        now = np.zeros(1, NOW)
        now["bar"] = np.inf  # nothing was selected yet
        epsilon, exploration = self.options["epsilon"], self.options["exploration"]
        return State(
            clicked=np.zeros(n_items, np.int64),
            shown=np.zeros(n_items, np.int64),
            rates=np.full(n_items, np.inf),
            greedy=np.arange(n_positions),
            in_greedy=np.arange(n_items) < n_positions,
            now=now,
            order=np.arange(n_items),
            picked=np.zeros(n_positions, np.int64),
            epsilon=-1.0 if epsilon is None else epsilon,
            exploration=1.0 if exploration is None else exploration,
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            "clicked": self.state.clicked,
            "shown": self.state.shown,
            "rounds": self.state.now["rounds"],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        clicked, shown, rounds = (self.statistics()[n] for n in ("clicked", "shown", "rounds"))
        if not 0 <= rounds[0] <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds[0]}")
        if shown.min() < 0 or shown.max() > rounds[0]:
            raise ArgumentError("shown must be counts of at most the number of rounds")
        if clicked.min() < 0 or (clicked > shown).any():
            raise ArgumentError("clicked must be counts of at most shown")
        seen = shown > 0
        self.state.rates[seen] = clicked[seen] / shown[seen]
