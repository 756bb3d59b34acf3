"""A popularity counter: what a shop would write itself, and what every policy must beat.

`paper.py` states it: read that first. It learns only what it happens to show: a good item that got
few clicks in its first displays is not shown again. Without `examination` it also takes an item
that was shown at the top for better than it is.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Count, Examination, Positive
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND, Rng
from unirank.policies.known_examination.state import check_counts, checked_examination


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items,)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    listed: NDArray[np.int64]  # (n_positions,) since the last count
    rounds: NDArray[np.int64]  # (1,) rankings given
    rates: NDArray[np.float64]  # (n_items,) scratch
    examination: NDArray[np.float64]  # (n_positions,)
    first_views: float
    every: int


@compiled
def count_again(state: State) -> None:
    """List the items of largest rate, equal ones in the order of their numbers."""
    rates, listed = state.rates, state.listed
    for item in range(rates.size):
        looks = 0.0
        for position in range(listed.size):
            looks += state.shown[item, position] * state.examination[position]
        rates[item] = (state.clicked[item] + 1) / (looks + state.first_views)
        place = min(item, listed.size)  # places before it are filled
        while place > 0 and rates[item] > rates[listed[place - 1]]:
            if place < listed.size:
                listed[place] = listed[place - 1]
            place -= 1
        if place < listed.size:
            listed[place] = item


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if state.rounds[0] % state.every == 0:
        count_again(state)
    state.rounds[0] += 1
    for position in range(ranking.size):
        ranking[position] = state.listed[position]


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        state.shown[ranking[position], position] += 1
        state.clicked[ranking[position]] += clicks[position]


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    for position in range(ranking.size):
        if ranking[position] != state.listed[position]:
            return 0.0
    return 1.0


def checked(options: dict[str, Any], n_positions: int) -> dict[str, Any]:
    """Return the options with the examination checked, if there is one."""
    if options["examination"] is None:
        return options
    return {**options, "examination": checked_examination(options["examination"], n_positions)}


@registry.register(
    "counter",
    paper="",
    clicks="any",
    position_order=True,
    lists="one until the next count",
    regret="linear",
)
class Counter(Policy):
    """Shows the items by clicks a view, counted again every so many rounds.

    Use it in simulations, to see what a policy that learns gains over what a shop would write
    itself: a list of best-sellers that is sorted again every hour.

    Parameters
    ----------
    every
        Rounds from one count to the next. In between, the list stays.
    first_rate
        The click rate of an item before its first view: each item begins with one click in
        1 / `first_rate` views. Where it is high, every item is shown some time, which costs clicks
        in the first days; where it is low, a good item that began badly is lost for good.
    examination
        Probability that users look at each position, nowhere increasing: then a view counts by how
        much its position is looked at. By default all views count the same.

    Examples
    --------
    >>> policy = Counter(items=["a", "b", "c"], n_positions=2, every=10)
    >>> policy.rank().items
    ('a', 'b')
    >>> for _ in range(50):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    every: Count = 50
    first_rate: Positive = 0.25
    examination: Examination | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        return checked(options, self.n_positions)

    def initial_state(self) -> State:
        return State(
            clicked=np.zeros(self.n_items, np.int64),
            shown=np.zeros((self.n_items, self.n_positions), np.int64),
            listed=np.arange(self.n_positions),
            rounds=np.zeros(1, np.int64),
            rates=np.zeros(self.n_items),
            examination=np.array(self.examination or [1.0] * self.n_positions),
            first_views=1.0 / self.first_rate,
            every=self.every,
        )

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            name: getattr(self.state, name) for name in ("clicked", "shown", "listed", "rounds")
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        check_counts(self.state.clicked, self.state.shown.sum(axis=1))
        arguments.integer("rounds", int(self.state.rounds[0]), 0, LARGEST_ROUND)
        listed = self.state.listed.tolist()
        if len(set(listed)) < len(listed) or not set(listed) <= set(range(self.n_items)):
            raise ArgumentError(f"listed must be different items, got {listed}")
