"""The position model: what the clicks of all rounds say of items and positions together.

    click(i, k) ~ Bernoulli(exp(a_i + b_k)),   b_1 = 0,   b non-increasing

`guard.py` corrects the model where people click in another way. With p_ik = exp(a_i + b_k):

    information   w_ik = n_ik p_ik / (1 - p_ik)
                  W_i = (A / m) alpha_i / (1 - alpha_i) + sum_k w_ik,   alpha_i = exp(a_i)
    score         (s_ik - n_ik p_ik) / (1 - p_ik)
    item prior    A clicks in A / m displays at full examination, m = clicks / sum of n exp(b),
                  and what a start order is worth (`state.py`), times trust / (trust + rounds)
    slope prior   b_k - b_(k-1) ~ Normal(-0.2, 1/4)

The first term of W_i is the information of the item prior. Such a prior gives a log attraction the
variance (1 - m) / A, where alpha = m. So A is estimated by how much items differ: items that are
alike have a prior of many clicks. One more of variance 1 - m is counted. v_i = min(1 / W_i, 1).

    (1 - m) / A = (1 - m + sum_i ((a_i - mean of a)^2 + v_i)) / (1 + L),   A >= 1

The A of a refresh comes from the one before it.

With d_k = b_k - b_(k-1) <= 0, the fall of examination from one position to the next:

    score and information of d    sums of those of b over the positions from k on
    U U' = information of d       items eliminated (Schur complement), U upper triangular
    U' d = U^-1 score             the Fisher-scoring step, solved from the first position down
    U' d = U^-1 score + z         a draw from the posterior, z normal numbers

A position at which b would rise stays level, and those after it are solved given that. (To cut b
itself would bend the positions after it, and with them the attraction of all items shown there.)
A list is drawn from the posterior: first the positions, then the items given the positions,

    a_i - sum_k (w_ik / W_i) db_k + ln max(G, 1),   G ~ Gamma with mean 1 and variance v_i

This is optimistic Bayesian sampling (May, Korda, Lee and Leslie 2012), Thompson sampling in which
no item is drawn worse than it seems: that would hide a good item, and teach nothing about others.
ln G = 3 ln(1 - v/9 + z sqrt(v)/3) is the formula of Wilson and Hilferty (1931).
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.logarithm import inline_log
from unirank.policies.kernels.randomness import MOST_ITEMS, Rng
from unirank.policies.kernels.ziggurat import normal
from unirank.policies.match_rank.state import State

SLOPE, SLOPE_PRECISION = 0.2, 4.0  # log examination falls by 0.2 +- 0.5 a position: a weak prior
OTHER_ITEMS = 1.0  # as if there were, to weigh the prior: a few equal items do not make it sure
LEAST_PRIOR = 1.0  # clicks that the prior of an item is worth; with less, unlucky items wait long
LARGEST_RATE = 0.9999  # of a click, where 1 would have infinite information
LARGEST_STEP = 1.0  # of a log attraction or a log examination: from afar, a step goes too far
EARLY = 1000  # rounds in which a refresh takes two steps: one does not follow the first clicks
SETTLED, MOST_REFRESHES = 0.01, 50  # a change of a rate by 1 % is none; tries to get there
TEMPER = 1.0  # share of the posterior's variance that is drawn: all of it
LEAST_EXCESS = 0.0  # of a draw over the mean of an item: optimism
TIE = 1e-9  # of that, so that equal items come in random order


@compiled
def settle(state: State) -> None:
    """Refresh until the mode of the present counts is found."""
    for _ in range(MOST_REFRESHES):
        if refresh(state) < SETTLED:
            break


@compiled
def refresh(state: State) -> float:
    """Move the mode towards the present counts, take the posterior around it, sort the items.

    Return the largest change of a log attraction or log examination.
    """
    clicks = looks = 0.0
    n_items, n_positions = state.clicked.shape
    for item in range(n_items):
        for k in range(n_positions):
            clicks += state.clicked[item, k]
            looks += state.shown[item, k] * np.exp(state.log_examination[k])
    mean = min((clicks + 0.5) / (looks + 1.0), LARGEST_RATE)  # m
    displays = 1.0 / mean
    largest = 0.0
    for _ in range(2 if state.now[0].rounds < EARLY else 1):
        linearise(state, displays)
        largest = max(largest, move(state))
    linearise(state, displays)
    weigh_prior(state, 1.0 - mean)
    sort_items(state)
    return largest


@compiled
def weigh_prior(state: State, unit: float) -> None:
    """Set A, for the next refresh, from how much the items differ now; `unit` is 1 - m."""
    n_items = state.deviation.size
    mean = 0.0
    for item in range(n_items):
        mean += state.log_attraction[item] / n_items
    squares = OTHER_ITEMS * unit
    for item in range(n_items):  # a draw from a part of the variance makes no item better known
        variance = min(state.deviation[item] ** 2 / TEMPER, 1.0 / LEAST_PRIOR)
        squares += (state.log_attraction[item] - mean) ** 2 + variance
    state.now[0].prior_clicks = max((OTHER_ITEMS + n_items) * unit / squares, LEAST_PRIOR)


@compiled
def linearise(state: State, displays: float) -> None:
    """Scores and information at the mode; `displays` are those of a click of the item prior."""
    n_items, n_positions = state.clicked.shape
    trust = state.now[0].trust
    fading = trust / (trust + state.now[0].rounds) if trust > 0.0 else 0.0
    state.position_score[:] = 0.0
    state.root[:, :] = 0.0
    for item in range(n_items):
        attraction = min(np.exp(state.log_attraction[item]), LARGEST_RATE)
        prior_clicks = state.now[0].prior_clicks + fading * state.prior[item, 0]
        prior_displays = displays * (state.now[0].prior_clicks + fading * state.prior[item, 1])
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
                state.root[k, k] += w
            state.information[item, k] = w
        state.item_information[item] = total
        state.item_score[item] = score
        state.deviation[item] = np.sqrt(min(TEMPER / total, 1.0 / LEAST_PRIOR))
        for k in range(n_positions):
            state.share[item, k] = state.information[item, k] / total
            if state.information[item, k] > 0.0:
                state.position_score[k] -= state.share[item, k] * score
                for other in range(k + 1):
                    state.root[k, other] -= state.share[item, k] * state.information[item, other]
    factorise(state)


@compiled
def factorise(state: State) -> None:
    """Turn score and information of b into `root` and `pull` of its increments d."""
    root, pull, score = state.root, state.pull, state.position_score
    n_positions = score.size
    for k in range(1, n_positions):
        for other in range(1, k):
            root[other, k] = root[k, other]
    for k in range(n_positions - 2, 0, -1):  # sums over the positions from k on
        score[k] += score[k + 1]
        for other in range(1, n_positions):
            root[k, other] += root[k + 1, other]
    for k in range(n_positions - 2, 0, -1):
        for other in range(1, n_positions):
            root[other, k] += root[other, k + 1]
    for k in range(1, n_positions):
        fall = state.log_examination[k] - state.log_examination[k - 1]
        score[k] -= SLOPE_PRECISION * (fall + SLOPE)
        root[k, k] += SLOPE_PRECISION
    for k in range(n_positions - 1, 0, -1):
        rest, left = root[k, k], score[k]
        for m in range(k + 1, n_positions):
            rest -= root[k, m] * root[k, m]
            left -= root[k, m] * pull[m]
        root[k, k] = np.sqrt(max(rest, 1e-9))
        pull[k] = left / root[k, k]
        for above in range(1, k):
            rest = root[above, k]
            for m in range(k + 1, n_positions):
                rest -= root[above, m] * root[k, m]
            root[above, k] = rest / root[k, k]


@compiled
def solve(state: State, spread: float) -> None:
    """Solve U' d = pull + spread * normals from the first position down; b does not rise.

    `step` becomes the change of b.
    """
    root, step, b = state.root, state.step, state.log_examination
    step[0] = 0.0
    for k in range(1, step.size):
        rest = state.pull[k] + spread * state.normals[k]
        for m in range(1, k):
            rest -= root[m, k] * (step[m] - step[m - 1])
        step[k] = step[k - 1] + min(rest / root[k, k], b[k - 1] - b[k])


@compiled
def move(state: State) -> float:
    """Take the Fisher-scoring step, at most LARGEST_STEP in any coordinate; return the largest."""
    n_items, n_positions = state.clicked.shape
    step, b = state.step, state.log_examination
    solve(state, 0.0)
    largest = 0.0
    for k in range(1, n_positions):
        moved = min(b[k] + min(max(step[k], -LARGEST_STEP), LARGEST_STEP), b[k - 1])
        step[k] = moved - b[k]
        b[k] = moved
        largest = max(largest, abs(step[k]))
    for item in range(n_items):  # by what is left once the positions have moved
        change = state.item_score[item] / state.item_information[item]
        for k in range(1, n_positions):
            change -= state.share[item, k] * step[k]
        change = min(max(change, -LARGEST_STEP), LARGEST_STEP)
        moved = min(state.log_attraction[item] + change, -1e-4)
        largest = max(largest, abs(moved - state.log_attraction[item]))
        state.log_attraction[item] = moved
    return largest


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
    for k in range(1, state.step.size):
        state.normals[k] = normal(rng, k)
    solve(state, np.sqrt(TEMPER))


@compiled
def sample(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Draw log attractions, none below its mean, and rank the items with the largest."""
    n_items, n_positions = state.clicked.shape
    samples = state.samples
    for item in range(n_items):  # without branches: the processor works on several items at a time
        state.draws[item] = normal(rng, MOST_ITEMS + item)
    draw_positions(state, rng)
    for item in range(n_items):
        samples[item] = state.log_attraction[item]
        for k in range(1, n_positions):
            samples[item] -= state.share[item, k] * state.step[k]
    for item in range(n_items):
        v, z = state.deviation[item], state.draws[item]
        excess = v * z - v * v / 3.0
        samples[item] += 3.0 * inline_log(1.0 + max(excess, LEAST_EXCESS) / 3.0)
        samples[item] += TIE * z if excess <= LEAST_EXCESS else 0.0
    for place in range(n_items):
        insert(samples, ranking, state.order[place], place)


@compiled
def insert(
    samples: NDArray[np.float64], ranking: NDArray[np.int64], item: int, n_before: int
) -> None:
    """Put an item into the ranking of those before it, if it is among the largest."""
    place = min(n_before, ranking.size)
    while place > 0 and samples[ranking[place - 1]] < samples[item]:
        if place < ranking.size:
            ranking[place] = ranking[place - 1]
        place -= 1
    if place < ranking.size:
        ranking[place] = item
