"""PBM-PIE: the items of largest mean, with exploration at the last position only.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016, with the
"parsimonious item exploration" of Combes et al. (SIGMETRICS 2015), stated in
`paper.py`: read that first. Clicks are position-based. Regret about
(1 + exploration) ln T times the sum, over the items i behind the K best, of
kappa_K (theta_K - theta_i) / kl(kappa_K theta_i, kappa_K theta_K); no policy with the same
knowledge can be better by more than a constant.

`evidence.py` finds the challengers without solving for their bounds. An item without an answer has
mean 0 and bound 1. A mean above 1 is beyond every bound. Draws: 0..L-1 order equal means, L decides
whether to explore, L + 1 draws the challenger.
"""

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon, NonNegative
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, below, uniform
from unirank.policies.kernels.selection import chance_of, top_k_again
from unirank.policies.known_examination.evidence import NOW, State, could_reach, find_challengers
from unirank.policies.known_examination.state import WithOpening, in_opening, looks_at, opens


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    now = state.now[0]
    now.budget = state.fixed_budget
    if now.budget < 0.0:
        now.budget = state.factor * np.log(float(state.rounds[0] - 1))
    top_k_again(state.means, rng, state.order, state.leaders)
    for position in range(ranking.size):
        ranking[position] = state.leaders[position]
    last = ranking.size - 1
    find_challengers(state, state.means[ranking[last]])
    n_items = state.means.size
    if now.n_challengers > 0 and uniform(rng, n_items) < 0.5:
        ranking[last] = challenger(state, below(rng, n_items + 1, now.n_challengers))


@compiled
def challenger(state: State, n_before: int) -> int:
    """Return the challenger with this many others before it, by item number."""
    for item in range(state.challenges.size):
        if state.challenges[item]:
            if n_before == 0:
                return item
            n_before -= 1
    return state.leaders[-1]  # not reached: there are more challengers than `n_before`


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        state.shown[item, position] += 1
        state.clicked[item, position] += clicks[position]
        state.n_shown[item] += 1
        state.n_clicked[item] += clicks[position]
        refresh(state, item)


@compiled
def refresh(state: State, item: int) -> None:
    """Compute the mean of an item, and drop what was derived from its old counts."""
    looks = looks_at(state, item)
    state.means[item] = state.n_clicked[item] / looks if looks > 0.0 else 0.0
    state.stale[item] = True
    state.failed_at[item] = np.inf


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    if in_opening(state):
        return 1.0
    shown, last = ranking[-1], state.leaders[-1]
    x = state.means[last]
    last_could = could_reach(state, last, x)
    shown_could = last_could if shown == last else state.challenges[shown]
    n_could = state.now[0].n_challengers + last_could
    ways = 0.0
    # Each item that ties with the last leader, itself included, was as likely to be it.
    for item in range(state.means.size):
        if state.means[item] == x and (item == last or not leads(state, item)):
            item_could = last_could if item == last else state.challenges[item]
            n_others = n_could - item_could
            if item == shown:
                ways += 0.5 if n_others > 0 else 1.0
            elif shown_could:
                ways += 0.5 / n_others
    return ways * chance_of(state.means, state.leaders)


@compiled
def leads(state: State, item: int) -> bool:
    found = False
    for leader in state.leaders:
        found |= leader == item
    return found


@registry.register(
    "pbm-pie",
    spelled="PBM-PIE",
    paper="Lagree et al., NIPS 2016",
    clicks="position-based",
    position_order=True,
    logarithmic=True,
    lists="leaders, random last position",
    regret="(L - K)/Delta log T",
)
class PBMPIE(WithOpening):
    """Shows the items of largest mean and explores at the last position only.

    Use it where the examination was measured: it explores as little as possible. Do not use it
    where the examination is a guess: the means then stay wrong for ever.

    Parameters
    ----------
    exploration
        >= 0, widens the bounds; their budget is (1 + exploration) ln t in round t.
    horizon
        Number of rounds to come, in place of t, if it is known.

    Examples
    --------
    >>> policy = PBMPIE(items=["a", "b", "c"], n_positions=2, examination=[1.0, 0.5])
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update, propensity=propensity)
    exploration: NonNegative = 0.0
    horizon: Horizon | None = None

    def initial_state(self) -> State:
        factor, horizon = 1.0 + self.exploration, self.horizon
        n_items, n_positions = self.n_items, self.n_positions
        now = np.zeros(1, NOW)
        now["x"] = np.nan
        return State(
            **self.counts(),
            rounds=np.zeros(1, np.int64),
            n_clicked=np.zeros(n_items, np.int64),
            n_shown=np.zeros(n_items, np.int64),
            order=np.arange(n_items),
            means=np.zeros(n_items),
            leaders=np.arange(n_positions),
            challenges=np.zeros(n_items, np.bool_),
            now=now,
            log_not=np.zeros(n_positions),
            pull=np.zeros(n_positions),
            peak=np.zeros(n_items),
            stale=np.ones(n_items, np.bool_),
            failed_at=np.full(n_items, np.inf),
            failed_with=np.zeros(n_items),
            factor=factor,
            fixed_budget=-1.0 if horizon is None else factor * log(horizon),
        )

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        super().restore(statistics)
        self.state.n_clicked[:] = self.state.clicked.sum(axis=1)
        self.state.n_shown[:] = self.state.shown.sum(axis=1)
        for item in range(self.n_items):
            refresh(self.state, item)
