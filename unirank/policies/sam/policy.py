"""SAM on rankings: our adaptation of a matching algorithm, not the algorithm of its paper.

Sentenac, Yi, Calauzenes, Perchet and Vojnovic, "Pure Exploration and Regret Minimization in
Matching Bandits", ICML 2021, pair up items; `unirank.lab.SimpleAdaptiveMatching` is their algorithm.
Leave this adaptation out of comparisons that claim to be faithful. It is stated in
`paper.py`: read that first. Positions must be given by decreasing examination; clicks
are position-based. No regret bound is known.

Late answers: an answer counts for the turn that it shows, in the cycle now open. A cluster ignores
it if that turn is already answered, or if the cluster was cut meanwhile so that the list is no turn
any more. Answers in the order of their rounds lose nothing but the latter, however late they come;
a turn that is never answered is made good by the next of its kind. No random numbers are drawn.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng
from unirank.policies.sam.state import State, cut, initial_state, with_statistics


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        slot = start + state.turn[start]
        for position in range(start, min(end, ranking.size)):
            ranking[position] = state.order[slot]
            slot += 1
            if slot == end:
                slot = start
        state.turn[start] += 1
        if start + state.turn[start] == end:
            state.turn[start] = 0
        start = end


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    start = 0
    while start < ranking.size:
        end = state.ends[start]
        if end - start > 1:
            answer(state, start, end, ranking, clicks)
        start = end


@compiled
def answer(
    state: State,
    start: int,
    end: int,
    ranking: NDArray[np.int64],
    clicks: NDArray[np.bool_],
) -> None:
    """Let a cluster of several items learn from its block of a ranking."""
    last = min(end, ranking.size)
    first = start
    while first < end and state.order[first] != ranking[start]:
        first += 1
    if first == end or state.answered[first]:
        return
    slot = first
    for position in range(start, last):
        if state.order[slot] != ranking[position]:
            return
        slot += 1
        if slot == end:
            slot = start
    for position in range(start, last):
        state.pending[ranking[position]] += clicks[position]
    state.answered[first] = True
    for slot in range(start, end):
        if not state.answered[slot]:
            return
    count_cycle(state, start, end)
    cut(state, start, end)


@compiled
def count_cycle(state: State, start: int, end: int) -> None:
    for slot in range(start, end):
        item = state.order[slot]
        state.clicked[item] += state.pending[item]
        state.rounds[item] += end - start
        state.pending[item] = 0
        state.answered[slot] = False


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    # Clusters of one item always show the same list, and count nothing.
    for position in range(ranking.size):
        if state.ends[position] != position + 1:
            return 0
    for position in range(ranking.size):
        ranking[position] = state.order[position]
    return limit


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return 1.0


@registry.register(
    "sam",
    paper="Sentenac et al., ICML 2021 (adapted to rankings)",
    clicks="position-based",
    position_order=True,
    lists="one, by turns",
    regret="none known",
)
class SAM(Policy):
    """Lets items take turns in blocks of positions until their click rates differ.

    This is our adaptation of SAM; `unirank.lab.SimpleAdaptiveMatching` is the algorithm of the paper.
    Do not use it for pages of unknown life, nor where many items tie.

    Examples
    --------
    >>> policy = SAM(items=["a", "b", "c"], n_positions=2, horizon=1000)
    >>> for _ in range(500):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item == "c"])
    >>> policy.clusters
    (('c',), ('a', 'b'))
    """

    kernels = PolicyKernels(rank, update, hold, propensity)
    horizon: Horizon

    def initial_state(self) -> State:
        return initial_state(self.n_items, self.horizon)

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        starts = np.array(self._cuts()[:-1], np.int64)
        return {
            "order": state.order,
            "starts": starts,
            "turns": state.turn[starts],
            "clicked": state.clicked,
            "rounds": state.rounds,
            "pending": state.pending,
            "answered": state.answered,
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def clusters(self) -> tuple[tuple[int | str, ...], ...]:
        """The clusters, best first, as item ids."""
        ids = [self.items[index] for index in self.state.order.tolist()]
        return tuple(tuple(ids[start:end]) for start, end in pairwise(self._cuts()))

    def _cuts(self) -> list[int]:
        cuts = [0]
        while cuts[-1] < self.n_items:
            cuts.append(int(self.state.ends[cuts[-1]]))
        return cuts
