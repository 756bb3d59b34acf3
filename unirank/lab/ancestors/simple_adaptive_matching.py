"""SAM, Simple Adaptive Matching: pair items round-robin in clusters, and cut clusters.

Sentenac, Yi, Calauzenes, Perchet and Vojnovic, "Pure Exploration and Regret Minimization in
Matching Bandits", ICML 2021. Assumes that pair i, j succeeds with probability u_i u_j. Must know
the horizon T. Regret O(N log N / Delta log T). Not a ranking policy: `policies/sam` is ours.

Clusters of even size, best first, together hold all 2N items; at first there is one. Each has a
round-robin by the circle method: of members a_0 .. a_{m-1}, in its round r = 0 .. m-2,

    a_0 stays, the others move on by r; first meets last, second meets last but one, and so on

and a full cycle of m - 1 rounds has seen each pair once. Only full cycles count:

    A_i = the cluster of i and all better ones         k_i = rounds of i with members of A_i
    m_i = share of these that succeeded                width = sqrt(ln T / k_i)

Each round:
    play   the present round of each cluster's round-robin
    learn  commit the clusters that have completed a cycle
    cut    clusters of more than two items: members by decreasing m_i + width; at the first even r
           with  m + width of member r  <  m - width of member r - 1  (counted from 0), the first r
           become one cluster and the others the next, and both start a round-robin. A cycle that a
           cut interrupts does not count. One cut per cluster and round

No random numbers: members start in the order of their numbers, and equal ones keep their order.
Within a cluster all k_i are equal: its members have met the same items equally often.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.ancestors.matching_problem import Pairs, even_count
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, Rng, address


class State(NamedTuple):
    order: NDArray[np.int64]  # (n_items,) members by cluster
    ends: NDArray[np.int64]  # (n_items,) first slot of a cluster -> its end
    phase: NDArray[np.int64]  # (n_items,) first slot -> rounds played of its cycle
    untested: NDArray[np.bool_]  # (n_items,) first slot -> whether a cut was not looked for
    met: NDArray[np.int64]  # (n_items, n_items) rounds of each pair, in full cycles
    won: NDArray[np.int64]  # (n_items, n_items) those that succeeded
    open: NDArray[np.bool_]  # (n_items, n_items) successes of the cycles under way
    means: NDArray[np.float64]  # (n_items,) scratch: m
    sorted: NDArray[np.int64]  # (n_items,) scratch: a cluster's members by decreasing m
    log_horizon: float


def initial_state(n_items: int, horizon: int) -> State:
    """One cluster, nothing known."""
    ends = np.zeros(n_items, np.int64)
    ends[0] = n_items
    return State(
        order=np.arange(n_items),
        ends=ends,
        phase=np.zeros(n_items, np.int64),
        untested=np.zeros(n_items, np.bool_),
        met=np.zeros((n_items, n_items), np.int64),
        won=np.zeros((n_items, n_items), np.int64),
        open=np.zeros((n_items, n_items), np.bool_),
        means=np.zeros(n_items),
        sorted=np.zeros(n_items, np.int64),
        log_horizon=float(np.log(horizon)),
    )


@compiled
def choose(state: State, rng: Rng, action: NDArray[np.int64]) -> None:
    """Write the pairs one after the other, cluster by cluster."""
    start = pair = 0
    while start < state.order.size:
        size = state.ends[start] - start
        for place in range(size // 2):
            action[2 * pair] = state.order[start + seat(place, state.phase[start], size)]
            opposite = seat(size - 1 - place, state.phase[start], size)
            action[2 * pair + 1] = state.order[start + opposite]
            pair += 1
        start += size


@compiled
def seat(place: int, turn: int, size: int) -> int:
    """Which member sits at a place of the circle in round `turn` of the cycle."""
    return 0 if place == 0 else 1 + (place - 1 + turn) % (size - 1)


@compiled
def learn(state: State, action: NDArray[np.int64], outcomes: NDArray[np.bool_]) -> None:
    for pair in range(action.size // 2):
        first, second = action[2 * pair], action[2 * pair + 1]
        state.open[first, second] = state.open[second, first] = outcomes[pair]
    start = 0
    while start < state.order.size:
        end = state.ends[start]  # before a cut: what it makes waits for the next round
        state.phase[start] += 1
        if state.phase[start] == end - start - 1:
            commit(state, start, end)
        if state.untested[start] and end - start > 2:
            cut(state, start, end)
        start = end


@compiled
def commit(state: State, start: int, end: int) -> None:
    """Count the cycle that this cluster has completed."""
    for slot in range(start, end):
        for other in range(start, end):
            if slot != other:
                i, j = state.order[slot], state.order[other]
                state.met[i, j] += 1
                state.won[i, j] += state.open[i, j]
    state.phase[start] = 0
    state.untested[start] = True


@compiled
def cut(state: State, start: int, end: int) -> None:
    """Sort the cluster and cut it at the first even place where its members can be told apart."""
    state.untested[start] = False
    n_rounds = 0
    for slot in range(start, end):
        item = state.order[slot]
        n_rounds = n_won = 0
        for other in range(end):
            n_rounds += state.met[item, state.order[other]]
            n_won += state.won[item, state.order[other]]
        if n_rounds == 0:
            return
        state.means[item] = n_won / n_rounds
    width = np.sqrt(state.log_horizon / n_rounds)
    sort_members(state, start, end)
    border = start + 2
    while border < end and not (
        state.means[state.sorted[border]] + width < state.means[state.sorted[border - 1]] - width
    ):
        border += 2
    if border >= end:
        return
    for slot in range(start, end):
        state.order[slot] = state.sorted[slot]
    for first, after in ((start, border), (border, end)):
        state.ends[first] = after
        state.phase[first] = 0
        state.untested[first] = True


@compiled
def sort_members(state: State, start: int, end: int) -> None:
    """Write the members into `sorted` by decreasing mean; ties keep their order."""
    for slot in range(start, end):
        item = state.order[slot]
        place = slot
        while place > start and state.means[state.sorted[place - 1]] < state.means[item]:
            state.sorted[place] = state.sorted[place - 1]
            place -= 1
        state.sorted[place] = item


class SimpleAdaptiveMatching:
    """Pairs up items 0 .. n_items - 1, round after round.

    Each `match()` must be answered by `update` before the next one.

    Parameters
    ----------
    n_items
        How many items, an even number.
    horizon
        Number of rounds to come.

    Examples
    --------
    >>> sam = SimpleAdaptiveMatching(4, horizon=1000)
    >>> sam.match()
    ((0, 3), (1, 2))
    >>> sam.update([True, False])
    >>> sam.match()
    ((0, 1), (2, 3))
    """

    name: ClassVar[str] = "matching-sam"
    kernels: ClassVar[PolicyKernels] = PolicyKernels(choose, learn)

    def __init__(self, n_items: int, *, horizon: int) -> None:
        self.n_items = even_count("n_items", n_items)
        self.n_positions = self.n_items  # a game writes the pairs one after the other
        self.horizon = arguments.horizon("horizon", horizon)
        self.round = 0
        self.state: Any = initial_state(self.n_items, self.horizon)
        self._action = np.zeros(self.n_items, np.int64)
        self._is_answered = True

    def match(self) -> Pairs:
        """The pairs of the next round."""
        if not self._is_answered:
            raise ArgumentError(f"match() must wait for update(): round {self.round} is unanswered")
        self.round += 1
        self._is_answered = False
        choose(self.state, address(0, 0, POLICY, self.round), self._action)
        items = self._action.tolist()
        return tuple(zip(items[::2], items[1::2], strict=True))

    def update(self, successes: Iterable[bool]) -> None:
        """Learn which pairs succeeded, in the order in which `match()` gave them.

        Parameters
        ----------
        successes
            Whether each pair of the last `match` succeeded.
        """
        if self._is_answered:
            raise ArgumentError("update() must follow match(), once for each round")
        told = list(successes)
        if len(told) != self.n_items // 2 or not all(one in (False, True) for one in told):
            raise ArgumentError(
                f"successes must be {self.n_items // 2} times True or False, got {told!r}"
            )
        learn(self.state, self._action, np.array(told, np.bool_))
        self._is_answered = True

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """The clusters, best first: members of one are not yet told apart."""
        cuts, order = [0], self.state.order.tolist()
        while cuts[-1] < self.n_items:
            cuts.append(int(self.state.ends[cuts[-1]]))
        return tuple(tuple(order[start:end]) for start, end in pairwise(cuts))

    def __repr__(self) -> str:
        return (
            f"SimpleAdaptiveMatching(n_items={self.n_items}, horizon={self.horizon}, "
            f"round={self.round})"
        )
