"""A round of BubbleRank: the swaps it draws, and what it compares. See bubble_rank.py."""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng, at_round, below, uniform
from unirank.kernels.shuffling import shuffle_prefix
from unirank.policies.bubble_rank.state import State, bubble, certainly_better, settle

NOBODY = -1


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    now, base = state.now[0], state.base
    n_positions = ranking.size
    if now.rounds == 0 and state.draws_start:
        draw_start(state, rng)
    now.rounds += 1
    now.offset = now.rounds & 1
    for position in range(n_positions):
        ranking[position] = base[position]
    for upper in range(now.offset, n_positions - 1, 2):
        if not state.certain[upper] and uniform(rng, upper) < 0.5:
            ranking[upper], ranking[upper + 1] = base[upper + 1], base[upper]
    now.other = NOBODY
    if now.n_pool > 0 and last_is_alone(now.offset, n_positions):
        last = n_positions - 1
        now.other = base[n_positions + below(rng, n_positions, now.n_pool)]
        if uniform(rng, last) < 0.5:
            ranking[last], now.other = now.other, base[last]


@compiled
def last_is_alone(offset: int, n_positions: int) -> bool:
    """Whether the pairs that start at `offset` leave out the last position."""
    return (n_positions - offset) & 1 == 1


@compiled
def draw_start(state: State, rng: Rng) -> None:
    for item in range(state.base.size):
        state.base[item] = item
    n_positions = state.certain.size
    shuffle_prefix(state.base, 0, state.base.size, n_positions, at_round(rng.key, 0))
    for place in range(state.base.size):
        state.place[state.base[place]] = place


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    now = state.now[0]
    n_positions = ranking.size
    for upper in range(now.offset, n_positions - 1, 2):
        if clicks[upper] and not clicks[upper + 1]:
            observe(state, ranking[upper], ranking[upper + 1])
        elif clicks[upper + 1] and not clicks[upper]:
            observe(state, ranking[upper + 1], ranking[upper])
    if now.other != NOBODY and clicks[n_positions - 1]:
        observe(state, ranking[n_positions - 1], now.other)
    if now.unbubbled:
        bubble(state)
    if now.unsettled:
        settle(state)


@compiled
def observe(state: State, clicked: int, other: int) -> None:
    """Count a click on one of two items that were compared, and note what may follow from it."""
    state.wins[clicked, other] += 1
    now, place = state.now[0], state.place
    upper, lower = min(place[clicked], place[other]), max(place[clicked], place[other])
    n_positions = state.certain.size
    if lower < n_positions:
        if lower == upper + 1:
            state.certain[upper] = certainly_better(state, state.base[upper], state.base[lower])
        # Only the item that was clicked can have become certainly better.
        if place[clicked] == lower and certainly_better(state, clicked, other):
            now.unbubbled = True
    elif upper == n_positions - 1 and certainly_better(state, clicked, other):
        now.unsettled = True


@compiled
def hold(state: State, limit: int, ranking: NDArray[np.int64]) -> int:
    now = state.now[0]
    if ranking.size > 1 or now.n_pool > 0:
        return 0
    now.rounds += limit
    ranking[0] = state.base[0]
    return limit


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    """Probability of the list just shown: 1/2 for each open pair, and that of its last item."""
    now = state.now[0]
    last = ranking.size - 1
    chance = 1.0
    for upper in range(now.offset, last, 2):
        if not state.certain[upper]:
            chance *= 0.5
    if now.other != NOBODY:
        chance *= 0.5 if ranking[last] == state.base[last] else 0.5 / now.n_pool
    return chance
