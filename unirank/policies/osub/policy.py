"""OSUB on rankings: every list is an arm; explore only lists that differ little from the best.

Combes and Proutiere, "Unimodal Bandits: Regret Lower Bounds and Optimal Algorithms", ICML 2014,
Algorithm 1, on the graph of rankings; stated in `paper.py`: read that first. Two lists
are neighbours if one is the other with two positions exchanged, or with one item replaced. A list
has gamma = K (2 L - K - 1) / 2 neighbours. It assumes that every list but the best one has a better
neighbour: the position-based model with any order of positions qualifies. Regret
O(gamma / Delta log T), Delta per neighbour, without knowing T.

    reward of a list  =  clicks / K

Mean and index of a list are those of `kernels/unimodal.py`.

Each round:
    leader   the list of largest mean (ties: uniformly). While nobody has clicked, all lists tie,
             also those that were never shown
    play     the leader in its rounds 1, gamma + 2, 2 gamma + 3, ...; in others the list of largest
             index among the leader and its neighbours (ties: uniformly)

Random numbers of a round: draws 0 .. K-1 shuffle the leader while all lists tie, draw K chooses
among tied leaders in the order in which they were met, draw K + 1 among tied indices: the leader,
exchanges (p, q) by p and q, replacements by position and item.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, below
from unirank.policies.kernels.shuffling import shuffle_prefix
from unirank.policies.kernels.tournament import winner
from unirank.policies.kernels.unimodal import LOGLOG_WEIGHT, UNPLAYED, lead, most_optimistic, reward
from unirank.policies.osub.state import (
    State,
    arm_of_list,
    full,
    gather,
    grown,
    initial_state,
    met,
    with_statistics,
)


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    leader = choose_leader(state, rng, ranking)
    for position in range(ranking.size):
        ranking[position] = state.lists[leader, position]
    now = state.now[0]
    now.chance = 1.0 if state.means[1] > 0.0 and state.counts[1] == 1 else np.nan
    if lead(state.arms, leader, state.near.size):
        return
    gather(state, leader)
    n_tied = most_optimistic(
        state.arms, leader, state.near, float(ranking.size), state.loglog_weight, state.tied
    )
    place = state.tied[below(rng, ranking.size + 1, n_tied) if n_tied > 1 else 0]
    now.chance /= n_tied
    here, there = state.swaps[place, 0], state.swaps[place, 1]
    ranking[here] = state.order[there]
    if there < ranking.size:
        ranking[there] = state.order[here]
    met(state, ranking)


@compiled
def choose_leader(state: State, rng: Rng, scratch: NDArray[np.int64]) -> int:
    """Return a random list of largest mean, or any list before the first click."""
    if state.means[1] > 0.0:
        n_tied = state.counts[1]
        choice = below(rng, scratch.size, n_tied) if n_tied > 1 else 0
        return winner(state.means, state.counts, choice)
    for item in range(state.order.size):
        state.order[item] = item
    shuffle_prefix(state.order, 0, state.order.size, scratch.size, rng)
    for position in range(scratch.size):
        scratch[position] = state.order[position]
    return met(state, scratch)


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    n_clicks = 0
    for position in range(ranking.size):
        n_clicks += clicks[position]
    arm = met(state, ranking)
    if arm != UNPLAYED:
        reward(state.arms, state.means, state.counts, arm, float(n_clicks), float(ranking.size))


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """1 / (lists of largest index) under a single leader; NaN where several leaders tie."""
    return state.now[0].chance


@registry.register(
    "osub",
    paper="Combes and Proutiere, ICML 2014",
    clicks="any",
    logarithmic=True,
    lists="one, random at ties",
    regret="K L/Delta log T",
)
class OSUB(Policy):
    """Explores lists that differ little from the best one, each list on its own.

    Use it where few lists are possible, with any click model whose value rises from neighbour to
    neighbour towards the best list. Not for many items: it learns nothing about one list from
    another, and remembers every list it has shown.

    Parameters
    ----------
    budget
        "kl-ucb" (ln t + 3 ln ln t, t = rounds with the present leader) or "ln" (ln t).

    Examples
    --------
    >>> policy = OSUB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(200):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=["c"] if shown.items[0] == "c" else [])
    >>> policy.leader[0]
    'c'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity, full=full)
    budget: Literal["kl-ucb", "ln"] = "kl-ucb"

    def initial_state(self) -> State:
        weight = LOGLOG_WEIGHT[self.budget]
        return initial_state(self.n_items, self.n_positions, loglog_weight=weight)

    def grow(self) -> None:
        self.state = grown(self.state)

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        return memory == b"" and arm_of_list(self.state, ranking) != UNPLAYED

    def statistics(self) -> dict[str, NDArray[Any]]:
        n_arms = int(self.state.now["n_arms"][0])
        arms = self.state.arms[:n_arms]
        return {
            "lists": self.state.lists[:n_arms],
            "clicks": arms["gained"].astype(np.int64),
            "plays": arms["plays"].copy(),
            "leads": arms["leads"].copy(),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = with_statistics(self.initial_state(), **statistics)

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list of largest mean, the first one met of those that tie; () without a click."""
        state = self.state
        if not state.means[1] > 0.0:
            return ()
        best = winner(state.means, state.counts, 0)
        return tuple(self.items[index] for index in state.lists[best].tolist())
