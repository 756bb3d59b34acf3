"""The position model: what the clicks of all rounds say of items and positions together.

    click(i, k) ~ Bernoulli(exp(a_i + b_k)),   b_1 = 0,   b non-increasing

`guard.py` corrects the model where people click in another way. With p_ik = exp(a_i + b_k):

    information   w_ik = n_ik p_ik / (1 - p_ik)           W_i = prior + sum_k w_ik
    score         (s_ik - n_ik p_ik) / (1 - p_ik)
    item prior    one click in 1 / m displays at full examination, m = clicks / sum of n exp(b),
                  and what a start order is worth (`state.py`), times trust / (trust + rounds)
    slope prior   b_k - b_(k-1) ~ Normal(-0.2, 1/4)

A Fisher-scoring step solves for all a and b at once: items are eliminated (Schur complement), the
positions that remain are solved by Cholesky. A list is drawn from the posterior around the mode:
first the positions, from a normal distribution; then the items given the positions,

    a_i - sum_k (w_ik / W_i) db_k + ln G,   G ~ Gamma with mean 1 and variance h / W_i

where the temper h = 0.7 is the share of the posterior's variance to explore with, for positions and
items alike: with more, lists are drawn that are not worth their clicks; with much less, a good item
with a poor start waits outside the list for ever (docs/explanation says why 0.7). ln G is drawn by
the formula of Wilson and Hilferty (1931), 3 ln(1 - v/9 + z sqrt(v)/3), v = h / W_i, z normal.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import MOST_ITEMS, Rng
from unirank.kernels.ziggurat import normal
from unirank.policies.match_rank.state import State

SLOPE, SLOPE_PRECISION = 0.2, 4.0  # log examination falls by 0.2 +- 0.5 a position
PRIOR_CLICKS = 1.0  # of an item
LARGEST_RATE = 0.9999  # of a click, where 1 would have infinite information
LARGEST_STEP = 1.0  # of a log attraction or a log examination
EARLY = 1000  # rounds in which a refresh takes two steps
TEMPER = 0.7  # share of the posterior's variance to explore with
LEAST_FACTOR = 1e-100  # of an attraction that is drawn


@compiled
def refresh(state: State) -> None:
    """Move the mode towards the present counts, take the posterior around it, sort the items."""
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
    set_factor(state)
    sort_items(state)


@compiled
def linearise(state: State, displays: float) -> None:
    """Scores and information at the mode; `displays` are those of the item prior."""
    n_items, n_positions = state.clicked.shape
    trust = state.now[0].trust
    fading = trust / (trust + state.now[0].rounds) if trust > 0.0 else 0.0
    state.position_score[:] = 0.0
    state.cholesky[:, :] = 0.0
    for item in range(n_items):
        attraction = min(np.exp(state.log_attraction[item]), LARGEST_RATE)
        prior_clicks = PRIOR_CLICKS + fading * state.prior[item, 0]
        prior_displays = displays * (1.0 + fading * state.prior[item, 1])
        total = prior_displays * attraction / (1.0 - attraction)  # W, the prior first
        score = (prior_clicks - prior_displays * attraction) / (1.0 - attraction)
        for k in range(n_positions):
            w = 0.0
            if state.shown[item, k] > 0:
                p = min(attraction * np.exp(state.log_examination[k]), LARGEST_RATE)
                w = state.shown[item, k] * p / (1.0 - p)
                here = (state.clicked[item, k] - state.shown[item, k] * p) / (1.0 - p)
                total += w
                score += here
                state.position_score[k] += here
                state.cholesky[k, k] += w
            state.information[item, k] = w
        state.item_information[item] = total
        state.item_score[item] = score
        state.deviation[item] = np.sqrt(min(TEMPER / total, 1.0))
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
    lower = state.cholesky
    for k in range(1, state.step.size):
        for other in range(1, k + 1):
            rest = lower[k, other]
            for m in range(1, other):
                rest -= lower[k, m] * lower[other, m]
            if other == k:
                lower[k, k] = np.sqrt(max(rest, 1e-9))
            else:
                lower[k, other] = rest / lower[other, other]


@compiled
def move(state: State) -> None:
    """Take the Fisher-scoring step, at most LARGEST_STEP in any coordinate."""
    n_items, n_positions = state.clicked.shape
    lower, step = state.cholesky, state.step
    step[0] = 0.0
    for k in range(1, n_positions):
        rest = state.position_score[k]
        for m in range(1, k):
            rest -= lower[k, m] * step[m]
        step[k] = rest / lower[k, k]
    for back in range(1, n_positions):
        k = n_positions - back
        rest = step[k]
        for m in range(k + 1, n_positions):
            rest -= lower[m, k] * step[m]
        step[k] = rest / lower[k, k]
    for k in range(1, n_positions):
        moved = state.log_examination[k] + min(max(step[k], -LARGEST_STEP), LARGEST_STEP)
        moved = min(moved, state.log_examination[k - 1])
        step[k] = moved - state.log_examination[k]
        state.log_examination[k] = moved
    for item in range(n_items):  # by what is left once the positions have moved
        change = state.item_score[item] / state.item_information[item]
        for k in range(1, n_positions):
            change -= state.share[item, k] * step[k]
        change = min(max(change, -LARGEST_STEP), LARGEST_STEP)
        state.log_attraction[item] = min(state.log_attraction[item] + change, -1e-4)


@compiled
def set_factor(state: State) -> None:
    """Invert the Cholesky factor: normal numbers times `factor` are draws of the positions."""
    lower, factor = state.cholesky, state.factor
    for m in range(1, state.step.size):
        for back in range(m):
            k = m - back
            rest = np.sqrt(TEMPER) if k == m else 0.0
            for between in range(k + 1, m + 1):
                rest -= lower[between, k] * factor[between, m]
            factor[k, m] = rest / lower[k, k]


@compiled
def sort_items(state: State) -> None:
    """Sort `order` by attraction; equal items stay as they are. Quick where little has changed."""
    order, log_attraction = state.order, state.log_attraction
    for place in range(1, order.size):
        item = order[place]
        here = place
        while here > 0 and log_attraction[order[here - 1]] < log_attraction[item]:
            order[here] = order[here - 1]
            here -= 1
        order[here] = item


@compiled
def draw_positions(state: State, rng: Rng) -> None:
    """Draw log examinations, non-increasing; put their deviations from the mode into `step`."""
    n_positions = state.step.size
    for k in range(1, n_positions):
        state.normals[k] = normal(rng, k)
    above = 0.0
    for k in range(1, n_positions):
        drawn = state.log_examination[k]
        for m in range(k, n_positions):
            drawn += state.factor[k, m] * state.normals[m]
        above = min(drawn, above)
        state.step[k] = above - state.log_examination[k]


@compiled
def sample(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Draw log attractions, and rank the items with the largest."""
    n_items, n_positions = state.clicked.shape
    samples = state.samples
    draw_positions(state, rng)
    for rank_ in range(n_items):
        item = state.order[rank_]
        mean = state.log_attraction[item]
        for k in range(1, n_positions):
            mean -= state.share[item, k] * state.step[k]
        v = state.deviation[item]
        deviation = v * normal(rng, MOST_ITEMS + item)
        # ln(1 + y) <= y: most items need no logarithm to be known to stay out.
        if rank_ >= n_positions and mean + deviation <= samples[ranking[n_positions - 1]]:
            continue
        factor = max(1.0 + (deviation - v * v / 3.0) / 3.0, LEAST_FACTOR)
        samples[item] = mean + 3.0 * np.log(factor)
        place = min(rank_, n_positions)
        while place > 0 and samples[ranking[place - 1]] < samples[item]:
            if place < n_positions:
                ranking[place] = ranking[place - 1]
            place -= 1
        if place < n_positions:
            ranking[place] = item
