"""The position model: what the clicks of all rounds say of items and positions together.

    click(i, k) ~ Bernoulli(exp(a_i + b_k)),   b_1 = 0,   b non-increasing

The model is believed near a stable leader only; `guard.py` corrects it. With p_ik = exp(a_i + b_k):

    information   w_ik = n_ik p_ik / (1 - p_ik)           W_i = prior + sum_k w_ik
    score         (s_ik - n_ik p_ik) / (1 - p_ik)
    item prior    one click in 1 / m displays at full examination, m = clicks / sum of n exp(b)
    slope prior   b_k - b_(k-1) ~ Normal(-0.2, 1/4)

One Fisher-scoring step solves for all a and b at once: items are eliminated (Schur complement),
the positions that remain are solved by Cholesky.
"""

import numpy as np

from unirank.kernels.beta import beta
from unirank.kernels.compiling import compiled
from unirank.kernels.normal import CENTRE, inverse_half_cdf, inverse_upper_tail
from unirank.kernels.randomness import MOST_ITEMS, Rng, inner_uniform, random_bits
from unirank.policies.match_rank.state import State

SLOPE, SLOPE_PRECISION = 0.2, 4.0  # log examination falls by 0.2 +- 0.5 a position
PRIOR_CLICKS = 1.0  # of an item
LARGEST_RATE = 0.9999  # of a click, where 1 would have infinite information
LARGEST_STEP = 1.0  # of a log attraction or a log examination
EARLY = 1000  # rounds in which a refresh takes two steps
TEMPER = 0.5  # share of the posterior's variance in the long run
OUTSIDE_TEMPER = 0.7  # least share for items that are not on the leader's page
FEW_EVENTS = 20.0  # clicks up to which the variance is hardly reduced
NORMAL_FROM = 30.0  # shapes from which a Beta is drawn as a normal number


@compiled
def refresh(state: State) -> None:
    """Move the mode towards the present counts, and take the posterior around it."""
    clicks = looks = 0.0
    n_items, n_positions = state.clicked.shape
    for item in range(n_items):
        for k in range(n_positions):
            clicks += state.clicked[item, k]
            looks += state.shown[item, k] * np.exp(state.log_examination[k])
    displays = PRIOR_CLICKS / min((clicks + 0.5) / (looks + 1.0), 1.0)
    for _ in range(2 if state.now[0].rounds < EARLY else 1):
        linearise(state, displays)
        move(state)
    linearise(state, displays)
    for k in range(1, n_positions):
        events = state.cholesky[k, k] * state.cholesky[k, k]
        state.position_scale[k] = np.sqrt(tempered(events))


@compiled
def tempered(events: float) -> float:
    """Share of the variance to explore with, from 1 without evidence down to TEMPER."""
    return TEMPER + (1.0 - TEMPER) / (1.0 + events / FEW_EVENTS)


@compiled
def linearise(state: State, displays: float) -> None:
    """Scores and information at the mode; `displays` are those of the item prior."""
    n_items, n_positions = state.clicked.shape
    state.position_score[:] = 0.0
    state.cholesky[:, :] = 0.0
    for item in range(n_items):
        attraction = min(np.exp(state.log_attraction[item]), LARGEST_RATE)
        total = displays * attraction / (1.0 - attraction)  # W, the prior first
        score = (PRIOR_CLICKS - displays * attraction) / (1.0 - attraction)
        weighted = total * attraction
        for k in range(n_positions):
            w = 0.0
            if state.shown[item, k] > 0:
                p = min(attraction * np.exp(state.log_examination[k]), LARGEST_RATE)
                w = state.shown[item, k] * p / (1.0 - p)
                here = (state.clicked[item, k] - state.shown[item, k] * p) / (1.0 - p)
                total += w
                score += here
                weighted += w * p
                state.position_score[k] += here
                state.cholesky[k, k] += w
            state.information[item, k] = w
        state.item_information[item] = total
        state.item_score[item] = score
        shape_item(state, item, total, weighted / total)
        for k in range(n_positions):
            state.share[item, k] = state.information[item, k] / total
            if state.information[item, k] > 0.0:
                state.position_score[k] -= state.share[item, k] * score
                for other in range(k + 1):
                    state.cholesky[k, other] -= (
                        state.share[item, k] * state.information[item, other]
                    )
    add_slope_prior(state)
    factorise(state)


@compiled
def shape_item(state: State, item: int, total: float, rate: float) -> None:
    """Match a Beta to information W and click rate q: A = W (1-q) / h, B = W (1-q)^2 / (q h)."""
    refused = 1.0 - rate
    temper = tempered(total * refused * refused)
    if state.place[item] >= state.step.size:
        temper = max(temper, OUTSIDE_TEMPER)
    state.shape_a[item] = max(1.0, total * refused / temper)
    state.shape_b[item] = max(1.0, total * refused * refused / rate / temper)


@compiled
def add_slope_prior(state: State) -> None:
    """Add the prior on b_k - b_(k-1) to the scores and the information of the positions."""
    for k in range(1, state.step.size):
        excess = state.log_examination[k] - state.log_examination[k - 1] + SLOPE
        state.position_score[k] -= SLOPE_PRECISION * excess
        state.cholesky[k, k] += SLOPE_PRECISION
        if k > 1:
            state.position_score[k - 1] += SLOPE_PRECISION * excess
            state.cholesky[k - 1, k - 1] += SLOPE_PRECISION
            state.cholesky[k, k - 1] -= SLOPE_PRECISION


@compiled
def factorise(state: State) -> None:
    """Replace the information of positions 1, 2, ... by its Cholesky factor; b_0 is fixed."""
    factor = state.cholesky
    for k in range(1, state.step.size):
        for other in range(1, k + 1):
            rest = factor[k, other]
            for m in range(1, other):
                rest -= factor[k, m] * factor[other, m]
            if other == k:
                factor[k, k] = np.sqrt(max(rest, 1e-9))
            else:
                factor[k, other] = rest / factor[other, other]


@compiled
def move(state: State) -> None:
    """Take the Fisher-scoring step, at most LARGEST_STEP in any coordinate."""
    n_items, n_positions = state.clicked.shape
    factor, step = state.cholesky, state.step
    for k in range(1, n_positions):
        rest = state.position_score[k]
        for m in range(1, k):
            rest -= factor[k, m] * step[m]
        step[k] = rest / factor[k, k]
    solve_transposed(state)
    for k in range(1, n_positions):
        step[k] = min(max(step[k], -LARGEST_STEP), LARGEST_STEP)
    for item in range(n_items):
        change = state.item_score[item] / state.item_information[item]
        for k in range(1, n_positions):
            change -= state.share[item, k] * step[k]
        change = min(max(change, -LARGEST_STEP), LARGEST_STEP)
        state.log_attraction[item] = min(state.log_attraction[item] + change, -1e-4)
    for k in range(1, n_positions):
        moved = min(state.log_examination[k] + step[k], 0.0)
        state.log_examination[k] = min(moved, state.log_examination[k - 1])


@compiled
def solve_transposed(state: State) -> None:
    """Solve factor^T x = step in place; x_0 = 0."""
    factor, step = state.cholesky, state.step
    step[0] = 0.0
    for back in range(1, step.size):
        k = step.size - back
        rest = step[k]
        for m in range(k + 1, step.size):
            rest -= factor[m, k] * step[m]
        step[k] = rest / factor[k, k]


@compiled
def sample(state: State, rng: Rng) -> None:
    """Draw log attractions from the tempered posterior: positions first, then items given them."""
    n_items, n_positions = state.clicked.shape
    step = state.step
    for k in range(1, n_positions):
        step[k] = normal(rng, n_items + k) * state.position_scale[k]
    solve_transposed(state)
    above = 0.0
    for k in range(1, n_positions):  # examination falls
        drawn = min(state.log_examination[k] + step[k], above)
        step[k] = drawn - state.log_examination[k]
        above = drawn
    for item in range(n_items):
        value = state.log_attraction[item]
        for k in range(1, n_positions):
            value -= state.share[item, k] * step[k]
        a, b = state.shape_a[item], state.shape_b[item]
        if a > NORMAL_FROM and b > NORMAL_FROM:
            value += np.sqrt(b / (a * (a + b + 1.0))) * normal(rng, MOST_ITEMS + item)
        else:
            value += np.log(max(beta(rng, MOST_ITEMS + item, a, b), 1e-300) * (a + b) / a)
        state.samples[item] = value


@compiled
def normal(rng: Rng, draw: int) -> float:
    """One standard normal number, by inversion."""
    u = inner_uniform(random_bits(rng, draw))
    q = u - 0.5
    if abs(q) <= CENTRE:
        return inverse_half_cdf(q)
    if q > 0.0:
        return inverse_upper_tail(1.0 - u)
    return -inverse_upper_tail(u)
