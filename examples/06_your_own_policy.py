"""Your own policy
===============

A policy is a state and two compiled functions, ``rank`` and ``update``. In this one an item that
is clicked climbs one place, and one round in ten a newcomer stands last on the page.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import unirank as ur
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import below, uniform
from unirank.plots.regret_curve import plot_regret
from unirank.plots.saving import save_figure
from unirank.policies.base.kernels import PolicyKernels


class State(NamedTuple):
    order: Any  # (n_items,) int64: all items, those on the page first


@compiled
def rank(state, rng, ranking):
    last, outside = ranking.size - 1, state.order.size - ranking.size
    if outside > 0 and uniform(rng, 0) < 0.1:  # draw 0: now? draw 1: who?
        newcomer = ranking.size + below(rng, 1, outside)
        state.order[last], state.order[newcomer] = state.order[newcomer], state.order[last]
    for position in range(ranking.size):
        ranking[position] = state.order[position]


@compiled
def update(state, ranking, clicks):
    for position in range(ranking.size):
        for place in range(1, state.order.size):  # where it stands by now
            if clicks[position] and state.order[place] == ranking[position]:
                state.order[place] = state.order[place - 1]
                state.order[place - 1] = ranking[position]
                break


@ur.policies.registry.register("climber", clicks="any", knows="position order", horizon="no")
class Climber(ur.Policy):
    """Lets an item that is clicked climb one place."""

    kernels = PolicyKernels(rank, update)

    def initial_state(self):
        return State(np.arange(self.n_items))


if __name__ == "__main__":
    users = ur.PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1, 0.1], examination=[1.0, 0.8, 0.6])
    scale = {"n_positions": 3, "n_rounds": 20_000, "n_games": 10}
    traces = [ur.simulate(policy, users, **scale) for policy in (Climber, "random", "unirank")]
    save_figure(plot_regret({"A policy of one's own": traces}, y="log"), Path("your_own.png"))
