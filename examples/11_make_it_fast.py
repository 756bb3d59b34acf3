"""Make it fast
============

The policy of *Your own policy*, compiled: a ``State`` of arrays and two functions of it. The
tutorial proves that it shows the same lists as the plain one.
"""

from typing import Any, NamedTuple

import numpy as np

import unirank as ur
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import below


class State(NamedTuple):
    clicked: Any  # (n_items,) float64
    shown: Any  # (n_items,) float64
    order: Any  # (n_items,) int64: scratch
    explore: int


@compiled
def rank(state, rng, ranking):
    clicked, shown, order, explore = state
    for item in range(order.size):
        order[item] = item
    exploring = shown.sum() < explore * ranking.size
    for position in range(ranking.size):
        best = position
        if exploring:
            best += below(rng, position, order.size - position)
        else:
            for other in range(position + 1, order.size):
                one, two = order[best], order[other]
                gain = clicked[two] / shown[two] - clicked[one] / shown[one]
                if gain > 0 or (gain == 0 and two < one):
                    best = other
        ranking[position] = order[best]
        order[best] = order[position]


@compiled
def update(state, ranking, clicks):
    for position in range(ranking.size):
        state.shown[ranking[position]] += 1
        state.clicked[ranking[position]] += clicks[position]


class FastFirstExplore(ur.Policy):
    """Shows random lists for `explore` rounds, then the items by click rate."""

    explore: int = 200
    kernels = PolicyKernels(rank, update)

    def initial_state(self):
        n = self.n_items
        return State(np.zeros(n), np.ones(n), np.arange(n), self.explore)


if __name__ == "__main__":
    users = ur.PBM(attraction=[0.5, 0.45, 0.4, 0.35, 0.3, 0.3], examination=[1.0, 0.8, 0.6])
    scale = {"n_positions": 3, "n_rounds": 10**6, "n_games": 20}
    traces = [ur.simulate(policy, users, **scale) for policy in (FastFirstExplore, "unirank")]
    ur.plots.regret(*traces, title="A million rounds", y="log", path="a_million_rounds.png")
