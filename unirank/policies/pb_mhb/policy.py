"""PB-MHB: Thompson sampling of a position-based model by Metropolis-Hastings.

Gauthier, Gaudel and Fromont, "Position-Based Multiple-Play Bandits with Thompson Sampling", IDA
2021, stated in `paper.py`: read that first. Users always look at the first position;
neither the order of the others nor the horizon is known. No regret bound is known. A round costs
O(L K) for each sweep.

With n = L + K, coordinate c (theta_c, or kappa_k at c = L + k) reads draw c of the round's random
numbers for its start, (2 m + 1) n + c for its proposal in sweep m = 0, 1, ... and (2 m + 2) n + c
for the decision. Equal thetas, which only rounding could make, are put in a random order.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Count, Positive
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import DRAW_BITS, Rng
from unirank.policies.kernels.selection import top_k
from unirank.policies.pb_mhb.state import PRIOR, State, check_statistics, initial_state
from unirank.policies.pb_mhb.sweep import scatter, sweep
from unirank.policies.pb_mhb.windows import after_click, after_refusal

LEAST_STEP, LARGEST_STEP = 1e-6, 1e9  # widths between these keep all their digits


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now = state.now[0]
    if now.rounds == 0 or not state.warm_start:
        scatter(state, rng)
    now.rounds += 1
    sigma = state.step / np.sqrt(now.rounds)
    n_draws = state.theta.size + state.kappa.size
    for number in range(state.n_sweeps):
        sweep(state, rng, sigma, (2 * number + 1) * n_draws)
    if not now.ordered:
        top_k(state.theta, rng, state.best)
        top_k(state.kappa, rng, state.order)
        now.ordered = not (ties(state.theta, state.best) or ties(state.kappa, state.order))
    for place in range(ranking.size):
        ranking[state.order[place]] = state.best[place]


@compiled
def ties(values: NDArray[np.float64], largest: NDArray[np.int64]) -> bool:
    """Whether `largest` would be in doubt without random numbers: values equal one another."""
    n_equal = 0
    for place in range(largest.size):
        for other in range(values.size):
            n_equal += values[other] == values[largest[place]]
    return n_equal > largest.size


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        of_item, of_position = state.item_windows[item], state.position_windows[position]
        if clicks[position]:
            state.item_clicks[item] += 1.0
            state.position_clicks[position] += 1.0
            after_click(of_item)
            after_click(of_position)
        else:
            state.refused[item, position] += 1.0
            state.refused_by_position[position, item] += 1.0
            theta, kappa = state.theta[item], state.kappa[position]
            missed = np.divide(1.0, 1.0 - theta * kappa)
            after_refusal(of_item, theta, kappa * missed)
            after_refusal(of_position, kappa, theta * missed)


@registry.register(
    "pb-mhb",
    spelled="PB-MHB",
    paper="Gauthier et al., IDA 2021",
    clicks="position-based",
    assumes="a position always examined",
    lists="posterior sample",
    regret="none known",
)
class PBMHB(Policy):
    """Shows the best list of a posterior sample, for position-based clicks.

    Use it where the examination is unknown and users look at positions independently of what they
    click. Do not use it where users leave at a click.

    Parameters
    ----------
    step
        Width of a proposal, over the square root of the round.
    n_sweeps
        Proposals for each coordinate in a round.
    warm_start
        If False, each round starts from a new random particle instead of the last one.

    Examples
    --------
    >>> policy = PBMHB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(1000):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks=[item for item in shown.items if item != "a"])
    >>> sorted(policy.rank().items)
    ['b', 'c']
    """

    kernels = PolicyKernels(rank, update)
    step: Positive = 1000.0
    n_sweeps: Count = 1
    warm_start: bool = True

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        step = options["step"]
        if not LEAST_STEP <= step <= LARGEST_STEP:
            raise ArgumentError(f"step must be in {LEAST_STEP:g}..{LARGEST_STEP:g}, got {step!r}")
        most = (2**DRAW_BITS // (self.n_items + self.n_positions) - 1) // 2
        arguments.integer("n_sweeps", options["n_sweeps"], 1, most, "what a round can draw=")
        return options

    def initial_state(self) -> State:
        return initial_state(self.n_items, self.n_positions, **self.options)

    def statistics(self) -> dict[str, NDArray[Any]]:
        state = self.state
        return {
            "theta": state.theta,
            "kappa": state.kappa,
            "item_clicks": (state.item_clicks - PRIOR * self.n_positions).astype(np.int64),
            "position_clicks": (state.position_clicks - PRIOR * self.n_items).astype(np.int64),
            "refused": (state.refused - PRIOR).astype(np.int64),
            "rounds": state.now["rounds"],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        for name, array in self.statistics().items():
            if array.shape != statistics[name].shape:
                raise ArgumentError(f"{name} must have shape {array.shape}")
        check_statistics(**statistics)
        self.state = state = self.initial_state()
        state.theta[:] = statistics["theta"]
        state.kappa[:] = statistics["kappa"]
        state.item_clicks[:] += statistics["item_clicks"]
        state.position_clicks[:] += statistics["position_clicks"]
        state.refused[:] += statistics["refused"]
        state.refused_by_position[:] = state.refused.T
        state.now["rounds"] = statistics["rounds"]
