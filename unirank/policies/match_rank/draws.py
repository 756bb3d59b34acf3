"""Lists that MatchRank might show in a round, drawn again, and how likely lists are.

The model draws a list m, then the test may swap one pair of it. The chance of m has no closed form;
what the test makes of m has one. So m is drawn again n times, and for a list r

    P(r) ~ mean over the drawn m of P(r | m)

    P(r | m) = g / n_slots                      r is m with two neighbours swapped
             = g / (n_slots (L - K))            r is m with another last item
             = 1 - the sum over these           r is m

with g of `guard.py`. The standard error of a chance p is at most sqrt(p (1 - p) / n), that of
counting lists, and much smaller where tests are what makes lists differ.

For the list r that a round shows, the m that the round itself drew, m_0, counts as one of n + 1:

    P(r) ~ (P(r | m_0) + n Q) / (n + 1),   Q = mean of P(r | m) over the n others

Then weights 1 / P are unbiased: over what is shown, the mean of f(r) / P(r) is the sum of f(r) over
all lists, less those that none of the n + 1 draws can give. For m_0 is any of them with the same
chance, so the mean over its place cancels P(r). The price: m_0 is no random list, it led to r. Q
does not depend on m_0, and has the mean P(r); so with s^2 = variance of the n chances,

    error^2 = (n / (n + 1))^2 s^2 / n + ((P(r | m_0) - Q) / (n + 1))^2

has the mean squared error of the estimate as its mean, given r, up to a factor of 1 + 1 / n^2: the
first term is the noise of Q, the second the bias and noise of m_0. Where r is so rare that no other
draw can give it, Q = s = 0, and the error is as large as the estimate, P(r | m_0) / (n + 1).

Draws have addresses of their own (seed, round, RESAMPLING): they are reproducible, and independent
of what is shown.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import RESAMPLING, Rng, at_round, stream_key
from unirank.policies.match_rank.guard import n_slots_of, overrule, swap_chance
from unirank.policies.match_rank.model import sample
from unirank.policies.match_rank.state import State


@compiled
def draw_list(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Draw the list of a round, before one of its pairs is put under test."""
    state.now[0].rounds += 1  # another page than the last one
    sample(state, rng, ranking)
    overrule(state, ranking)


@compiled
def fill_lists(
    state: State, key: np.uint64, lists: NDArray[np.int64], ranking: NDArray[np.int64]
) -> None:
    for n in range(lists.shape[0]):
        draw_list(state, at_round(key, n), ranking)
        for position in range(ranking.size):
            lists[n, position] = ranking[position]


def lists_again(state: State, seed: int, round_: int, n_draws: int) -> NDArray[np.int64]:
    """Draw (n_draws, n_positions) lists of the model; `state` is a copy to draw from."""
    lists = np.empty((n_draws, state.step.size), np.int64)
    fill_lists(state, stream_key(seed, round_, RESAMPLING), lists, np.empty_like(lists[0]))
    return lists


@compiled
def add_displays(state: State, lists: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add the chances of each item at each position, given each of the lists."""
    now = state.now[0]
    n_items, n_positions = sums.shape
    n_slots = n_slots_of(state)
    for n in range(lists.shape[0]):
        for position in range(n_positions):
            sums[lists[n, position], position] += 1.0
        for slot in range(1, n_positions):
            above, other = lists[n, slot - 1], lists[n, slot]
            chance = swap_chance(state, above, other) / n_slots
            sums[above, slot - 1] -= chance
            sums[other, slot - 1] += chance
            sums[above, slot] += chance
            sums[other, slot] -= chance
        last = lists[n, n_positions - 1]
        now.rounds += 1  # marks the items of this list
        for position in range(n_positions):
            state.page[lists[n, position]] = now.rounds
        for other in range(n_items):
            if state.page[other] != now.rounds:
                chance = swap_chance(state, last, other)
                chance /= n_slots * (n_items - n_positions)
                sums[last, n_positions - 1] -= chance
                sums[other, n_positions - 1] += chance


def display_chances(state: State, lists: NDArray[np.int64]) -> NDArray[np.float64]:
    """Estimate the (n_items, n_positions) chances that a round shows an item at a position."""
    sums = np.zeros(state.clicked.shape)
    add_displays(state, lists, sums)
    return sums / len(lists)


@compiled
def kept_chance(state: State, ranking: NDArray[np.int64]) -> float:
    """Return the chance that the test leaves a list as it is."""
    now = state.now[0]
    n_items, n_positions = state.clicked.shape
    n_slots = n_slots_of(state)
    kept = 1.0
    for slot in range(1, n_positions):
        kept -= swap_chance(state, ranking[slot - 1], ranking[slot]) / n_slots
    now.rounds += 1
    for position in range(n_positions):
        state.page[ranking[position]] = now.rounds
    for other in range(n_items):
        if state.page[other] != now.rounds:
            chance = swap_chance(state, ranking[n_positions - 1], other)
            kept -= chance / (n_slots * (n_items - n_positions))
    return kept


@compiled
def chance_given(
    state: State, drawn: NDArray[np.int64], n: int, ranking: NDArray[np.int64], kept: float
) -> float:
    """Return P(ranking | list n of those drawn); it is `kept` if they are equal."""
    n_items, n_positions = state.clicked.shape
    n_slots = n_slots_of(state)
    place = 0
    while place < n_positions and drawn[n, place] == ranking[place]:
        place += 1
    if place == n_positions:
        return kept
    above = drawn[n, place]
    if place == n_positions - 1:
        chance = swap_chance(state, above, ranking[place])
        return chance / (n_slots * (n_items - n_positions))
    other = drawn[n, place + 1]
    if above != ranking[place + 1] or other != ranking[place]:
        return 0.0
    for position in range(place + 2, n_positions):
        if drawn[n, position] != ranking[position]:
            return 0.0
    return swap_chance(state, above, other) / n_slots


@compiled
def fill_chances(
    state: State,
    drawn: NDArray[np.int64],
    ranking: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    kept = kept_chance(state, ranking)
    for n in range(chances.size):
        chances[n] = chance_given(state, drawn, n, ranking, kept)


def list_chance(
    state: State, drawn: NDArray[np.int64], ranking: NDArray[np.int64]
) -> tuple[float, float]:
    """Estimate the chance of a list that is shown, and the root mean squared error of that.

    The first of the lists drawn is the one that the round itself drew.
    """
    chances = np.empty(len(drawn))
    fill_chances(state, drawn, ranking, chances)
    own, others = chances[0], chances[1:]
    noise = np.sqrt(others.var(ddof=1) * others.size) / chances.size
    bias = (own - others.mean()) / chances.size
    return float(chances.mean()), float(np.hypot(noise, bias))
