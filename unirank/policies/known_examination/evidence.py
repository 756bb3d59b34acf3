"""Which items could be as attractive as x: PBM-PIE's test, without solving for its bounds.

    f_i(q)   = sum over k of shown_ik kl(clicked_ik / shown_ik, examination_k q), convex in q
    qmin_i   = where f_i is least
    U_i      = the largest q in [qmin_i, 1] with f_i(q) <= d; qmin_i if there is none

For x <= 1, U_i >= x exactly when f_i(x) <= d or x <= qmin_i, that is f_i'(x) <= 0. With
missed = shown - clicked and peak_i = the part of f_i that does not depend on q,

    f_i(x)    = peak_i - clicked_i ln x - sum over k of missed_ik ln(1 - examination_k x)
    x f_i'(x) = x sum over k of missed_ik examination_k / (1 - examination_k x) - clicked_i

so K + 1 logarithms and K quotients serve all items, and each item costs two products per position.
f_i rises from qmin_i on. So an item that failed at x_0 > qmin_i fails at every x >= x_0 as long as
f_i(x_0) > d and nobody answered on the item: then its test is skipped. A budget closer to f_i than
rounding errors counts as equal to it, and f_i(x_0) is lowered by more than these.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.optimism import peak_of

ROUNDING = 1e-9  # evidence this close to the budget counts as equal to it
CLOSE = 1e-12  # the same for a slope and 0, relative to its terms
IMPOSSIBLE = -1e300  # logarithm of 0 that gives 0 when multiplied by 0

NOW = np.dtype(
    [
        ("budget", np.float64),  # d, of the ranking last given
        ("x", np.float64),  # where `log_not` and `pull` were last computed
        ("log_x", np.float64),
        ("n_challengers", np.int64),
    ]
)


class State(NamedTuple):
    """The counts, the leaders and challengers of the last ranking, and terms of each test."""

    clicked: NDArray[np.int64]  # (n_items, n_positions)
    shown: NDArray[np.int64]  # (n_items, n_positions)
    examination: NDArray[np.float64]  # (n_positions,)
    rounds: NDArray[np.int64]  # (1,) rankings given
    n_clicked: NDArray[np.int64]  # (n_items,) sums over the positions
    n_shown: NDArray[np.int64]  # (n_items,)
    order: NDArray[np.int64]  # (n_items,) the leaders, then the others
    means: NDArray[np.float64]  # (n_items,)
    leaders: NDArray[np.int64]  # (n_positions,)
    challenges: NDArray[np.bool_]  # (n_items,) no leader, but could be as good as the last of them
    now: Any  # (1,) record NOW
    log_not: NDArray[np.float64]  # (n_positions,) ln(1 - examination_k x)
    pull: NDArray[np.float64]  # (n_positions,) examination_k / (1 - examination_k x)
    peak: NDArray[np.float64]  # (n_items,)
    stale: NDArray[np.bool_]  # (n_items,) `peak` is not that of the present counts
    failed_at: NDArray[np.float64]  # (n_items,) x_0 of the last failure; infinite if there is none
    failed_with: NDArray[np.float64]  # (n_items,) f(x_0), less rounding errors
    factor: float  # 1 + exploration
    fixed_budget: float  # d if the horizon is known, negative if not


@compiled
def find_challengers(state: State, x: float) -> None:
    """Set `challenges`: the items behind the leaders in `order` with U >= x."""
    now = state.now[0]
    now.n_challengers = 0
    for position in range(state.leaders.size):
        state.challenges[state.order[position]] = False
    for slot in range(state.leaders.size, state.order.size):
        item = state.order[slot]
        fails = x >= state.failed_at[item] and state.failed_with[item] > now.budget
        state.challenges[item] = not fails and could_reach(state, item, x)
        now.n_challengers += state.challenges[item]


@compiled
def could_reach(state: State, item: int, x: float) -> bool:
    """Whether U >= x for an item."""
    if x <= 0.0 or x > 1.0:
        return x <= 0.0
    now = state.now[0]
    if now.x != x:
        look_from(state, x)
    if state.stale[item]:
        state.peak[item] = whole_peak(state, item)
        state.stale[item] = False
    evidence = state.peak[item] - state.n_clicked[item] * now.log_x
    pulled = 0.0
    for position in range(state.pull.size):
        missed = np.float64(state.shown[item, position] - state.clicked[item, position])
        evidence -= missed * state.log_not[position]
        pulled += missed * state.pull[position]
    if evidence <= now.budget + ROUNDING or x * pulled <= state.n_clicked[item] * (1.0 + CLOSE):
        return True
    if 1.0 - state.examination[0] * x > 1e-3:  # else digits cancel
        state.failed_at[item] = x
        state.failed_with[item] = evidence - 10.0 * ROUNDING - CLOSE * state.n_shown[item]
    return False


@compiled
def look_from(state: State, x: float) -> None:
    """Compute what all items need at x in (0, 1]."""
    now = state.now[0]
    now.x = x
    now.log_x = np.log(x)
    for position in range(state.pull.size):
        examination = state.examination[position]
        room = 1.0 - examination * x
        if room > 0.0:
            state.log_not[position] = np.log1p(-examination * x)
            state.pull[position] = examination / room
        else:
            state.log_not[position] = IMPOSSIBLE
            state.pull[position] = -IMPOSSIBLE


@compiled
def whole_peak(state: State, item: int) -> float:
    peak = 0.0
    for position in range(state.examination.size):
        clicked = state.clicked[item, position]
        if clicked > 0:
            peak -= clicked * np.log(state.examination[position])
        peak += peak_of(np.float64(clicked), state.shown[item, position])
    return peak
