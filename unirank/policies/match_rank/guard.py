"""The guard: matched comparisons of the leader's neighbours, which are valid for any click model.

Slot c holds the neighbours (i, j) of the leader, i above. A round that shows j directly above i
waits, and is matched with the next rounds that show i directly above j, at most MOST_MATCHES. With
x = click above - click below, summed over matched sets for both orders,

    z = (gap_ij - gap_ji) / sqrt((v + 1/2) spread / sets),
    v = half the sum over both orders of (square - gap^2 / sets)

says whether i is better than j. The model has i above j; it is overruled in one list with chance

    flip_ij = e Phi(-z) / (e Phi(-z) + Phi(z)),   doubt e = min(0.03, 1 / sqrt(1 + t)).

An outsider is compared with the last shown item in the same way, with x = click at the last
position, where the items above are the leader's.
"""

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.kernels.normal import upper_tail
from unirank.kernels.randomness import Rng, uniform
from unirank.policies.match_rank.state import State

MOST_DOUBT = 0.03
MOST_MATCHES = 8  # straight rounds for one swapped round
LEAST_CHANCE = 1e-300


@compiled
def flip(state: State, above: int, below: int) -> float:
    """Chance to show `below` over `above` where the model has them the other way round."""
    doubted = state.now[0].doubt * state.worse[above, below]
    return doubted / (doubted + state.worse[below, above])


@compiled
def weigh(state: State, i: int, j: int) -> None:
    """Recompute the chances that i is worse than j, and j than i, from their matched sets."""
    n = state.sets[i, j]
    variance = 0.5 * (
        state.square[i, j]
        - state.gap[i, j] * state.gap[i, j] / n
        + state.square[j, i]
        - state.gap[j, i] * state.gap[j, i] / n
    )
    z = (state.gap[i, j] - state.gap[j, i]) / np.sqrt(
        (max(variance, 0.0) + 0.5) * state.spread[i, j] / n
    )
    overruled = flip(state, i, j) > 0.5, flip(state, j, i) > 0.5
    state.worse[i, j] = max(upper_tail(z), LEAST_CHANCE)
    state.worse[j, i] = max(upper_tail(-z), LEAST_CHANCE)
    if overruled != (flip(state, i, j) > 0.5, flip(state, j, i) > 0.5):
        state.now[0].stale = True


@compiled
def elect(state: State) -> None:
    """Order the items by attraction, and pass an item over its neighbour where flip > 1/2."""
    leader, n_positions = state.leader, state.step.size
    for place in range(leader.size):
        state.old_leader[place] = leader[place]
    for place in range(1, leader.size):
        item = leader[place]
        here = place
        while here > 0 and state.log_attraction[leader[here - 1]] < state.log_attraction[item]:
            leader[here] = leader[here - 1]
            here -= 1
        leader[here] = item
    for place in range(1, leader.size):
        item = leader[place]
        here = place
        if place >= n_positions:
            last = leader[n_positions - 1]
            if not flip(state, last, item) > 0.5:
                continue
            leader[place] = last
            here = n_positions - 1
        while here > 0 and flip(state, leader[here - 1], item) > 0.5:
            leader[here] = leader[here - 1]
            here -= 1
        leader[here] = item
    drop_changed_slots(state)
    state.now[0].stale = False


@compiled
def drop_changed_slots(state: State) -> None:
    """Forget the rounds that wait in slots whose pair has changed; earlier rounds do not count."""
    now = state.now[0]
    changed = False
    for place in range(state.leader.size):
        state.place[state.leader[place]] = place
        first = min(place, state.step.size) - 1
        if place > 0 and (
            state.leader[place] != state.old_leader[place]
            or state.leader[first] != state.old_leader[first]
        ):
            state.waiting[place].since = 0
            state.changed_at[place] = now.version + 1
            changed = True
    if changed:
        now.version += 1


@compiled
def doubt_order(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Insert the sampled items from the top; an item passes the one above with chance flip."""
    n_items, n_positions = state.clicked.shape
    draw = n_items + n_positions
    for position in range(1, n_positions):
        draw = climb(state, rng, draw, ranking, position, ranking[position])
    if n_items == n_positions:
        return
    for position in range(n_positions):
        state.samples[ranking[position]] = np.inf  # on the page: no outsider
    few = min(1.0, n_positions / (n_items - n_positions))
    for item in range(n_items):
        if state.samples[item] == np.inf:
            continue
        chance = flip(state, ranking[n_positions - 1], item)
        if chance < 0.5:  # all outsiders together are doubted like n_positions pairs
            chance *= few
        if uniform(rng, draw) < chance:
            draw = climb(state, rng, draw + 1, ranking, n_positions - 1, item)
        else:
            draw += 1


@compiled
def climb(
    state: State, rng: Rng, draw: int, ranking: NDArray[np.int64], position: int, item: int
) -> int:
    """Put `item` at `position`, or above those that it passes; return the next unread draw."""
    while position > 0:
        draw += 1
        if not uniform(rng, draw - 1) < flip(state, ranking[position - 1], item):
            break
        ranking[position] = ranking[position - 1]
        position -= 1
    ranking[position] = item
    return draw


@compiled
def compare(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    """Learn from a round in every slot of the leader that it shows straight or swapped."""
    n_items, n_positions = state.clicked.shape
    for slot in range(1, n_positions):
        i, j = state.leader[slot - 1], state.leader[slot]
        x = np.float64(clicks[slot - 1]) - np.float64(clicks[slot])
        if ranking[slot - 1] == j and ranking[slot] == i:
            count_swapped(state, slot, i, j, x)
        elif ranking[slot - 1] == i and ranking[slot] == j:
            count_straight(state, slot, i, j, x)
    if n_items == n_positions:
        return
    for position in range(n_positions - 1):
        if state.place[ranking[position]] >= n_positions - 1:
            return  # the items above are not the leader's
    i, x = state.leader[n_positions - 1], np.float64(clicks[n_positions - 1])
    slot = state.place[ranking[n_positions - 1]]
    if slot >= n_positions:
        count_swapped(state, slot, i, state.leader[slot], x)
    else:
        for slot in range(n_positions, n_items):
            count_straight(state, slot, i, state.leader[slot], x)


@compiled
def count_swapped(state: State, slot: int, i: int, j: int, x: float) -> None:
    """Let a swapped round wait, unless the slot changed or another waits without a match."""
    now, waiting = state.now[0], state.waiting[slot]
    if state.changed_at[slot] > now.shown_version:
        return
    if waiting.since > 0:
        if waiting.matches == 0:
            return
        commit(state, slot, i, j)
    waiting.since = now.shown_round
    waiting.difference = x
    waiting.matches = 0
    waiting.total = 0.0
    waiting.squares = 0.0


@compiled
def count_straight(state: State, slot: int, i: int, j: int, x: float) -> None:
    """Match a straight round with the swapped round that waits, if that one was shown before."""
    waiting = state.waiting[slot]
    if not 0 < waiting.since < state.now[0].shown_round:
        return
    waiting.matches += 1
    waiting.total += x
    waiting.squares += x * x
    if waiting.matches == MOST_MATCHES:
        commit(state, slot, i, j)


@compiled
def commit(state: State, slot: int, i: int, j: int) -> None:
    """Add a matched set to the pair's sums."""
    waiting = state.waiting[slot]
    m = np.float64(waiting.matches)
    state.sets[i, j] += 1.0
    state.sets[j, i] += 1.0
    state.spread[i, j] += 1.0 + 1.0 / m
    state.spread[j, i] += 1.0 + 1.0 / m
    state.gap[j, i] += waiting.difference
    state.square[j, i] += waiting.difference * waiting.difference
    state.gap[i, j] += waiting.total / m
    state.square[i, j] += waiting.squares / m
    waiting.since = 0
    weigh(state, i, j)
