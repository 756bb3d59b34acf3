"""PBM-PIE: the items of largest mean, with exploration at the last position only.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016, with the
"parsimonious item exploration" of Combes et al. (SIGMETRICS 2015), stated in
`paper.py`: read that first. Clicks are position-based. Regret about
(1 + exploration) ln T times the sum, over the items i behind the K best, of
kappa_K (theta_K - theta_i) / kl(kappa_K theta_i, kappa_K theta_K); no policy with the same
knowledge can be better by more than a constant.

A challenger needs no solving for its bound. With the convex function

    f_i(q) = sum over k of shown_ik kl(clicked_ik / shown_ik, examination_k q),   least at qmin_i

and U_i = the largest q in [qmin_i, 1] with f_i(q) <= d (qmin_i if there is none), U_i >= x for
x <= 1 exactly when f_i(x) <= d or x <= qmin_i, that is f_i'(x) <= 0. A budget closer to f_i than
rounding errors counts as equal to it. An item without an answer has mean 0 and bound 1. A mean
above 1 is beyond every bound. Draws: 0..L-1 order equal means, L decides whether to explore, L + 1
draws the challenger.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import Horizon, NonNegative
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import kl
from unirank.policies.kernels.randomness import Rng, below, uniform
from unirank.policies.kernels.selection import chance_of, top_k
from unirank.policies.known_examination.state import WithOpening, in_opening, looks_at, opens

ROUNDING = 1e-9  # evidence this close to the budget counts as equal to it
CLOSE = 1e-12  # the same for a slope and 0, relative to its terms

NOW = np.dtype(
    [
        ("budget", np.float64),  # d, of the ranking last given
        ("n_challengers", np.int64),
    ]
)


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    examination: NDArray[np.float64]  # (n_positions,)
    rounds: NDArray[np.int64]  # (1,) rankings given
    means: NDArray[np.float64]  # (n_items,) of the ranking last given, as all that follows
    leaders: NDArray[np.int64]  # (n_positions,)
    challenges: NDArray[np.bool_]  # (n_items,) no leader, but could be as good as the last of them
    now: Any  # (1,) record NOW
    factor: float  # 1 + exploration
    fixed_budget: float  # d if the horizon is known, negative if not


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    if opens(state, ranking):
        return
    now = state.now[0]
    now.budget = state.fixed_budget
    if now.budget < 0.0:
        now.budget = state.factor * np.log(float(state.rounds[0] - 1))
    n_items = state.means.size
    for item in range(n_items):
        state.means[item] = mean_of(state, item)
    top_k(state.means, rng, state.leaders)
    find_challengers(state)
    for position in range(ranking.size):
        ranking[position] = state.leaders[position]
    if now.n_challengers > 0 and uniform(rng, n_items) < 0.5:
        ranking[-1] = challenger(state, below(rng, n_items + 1, now.n_challengers))


@compiled
def mean_of(state: State, item: int) -> float:
    looks, clicks = looks_at(state, item), 0
    for position in range(state.examination.size):
        clicks += state.clicked[item, position]
    return clicks / looks if looks > 0.0 else 0.0


@compiled
def find_challengers(state: State) -> None:
    """Set `challenges`: the items that do not lead, with U at least the mean of the last leader."""
    x = state.means[state.leaders[-1]]
    n_challengers = 0
    for item in range(state.means.size):
        state.challenges[item] = not leads(state, item) and could_reach(state, item, x)
        n_challengers += state.challenges[item]
    state.now[0].n_challengers = n_challengers


@compiled
def could_reach(state: State, item: int, x: float) -> bool:
    """Whether U >= x for an item."""
    if x <= 0.0 or x > 1.0:
        return x <= 0.0
    evidence = pull = 0.0
    n_clicked = 0
    for position in range(state.examination.size):
        clicked, shown = state.clicked[item, position], state.shown[item, position]
        if shown > 0:
            rate = state.examination[position] * x
            evidence += shown * kl(clicked / shown, rate)
            n_clicked += clicked
            if clicked < shown:
                pull += (shown - clicked) * rate / (1.0 - rate) if rate < 1.0 else np.inf
    return evidence <= state.now[0].budget + ROUNDING or pull <= n_clicked * (1.0 + CLOSE)


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
        return State(
            **self.counts(),
            rounds=np.zeros(1, np.int64),
            means=np.zeros(self.n_items),
            leaders=np.arange(self.n_positions),
            challenges=np.zeros(self.n_items, np.bool_),
            now=np.zeros(1, NOW),
            factor=factor,
            fixed_budget=-1.0 if horizon is None else factor * log(horizon),
        )
