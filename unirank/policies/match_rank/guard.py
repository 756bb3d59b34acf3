"""The guard: tests of neighbours in the list, which say who is better whatever the click model.

Each round puts one pair of the list under test, i above j: two neighbours, or the last item and a
random item that is not shown. With chance g they are shown the other way round. The rest of the
list and the coin are independent, so over both orders, with x = click above - click below (for the
last item, its click) and w = the chance of the other order (g, or 1 - g if it was swapped),

    gain_ij   = sum of w x, i above j, minus the same with j above i
    spread_ij = sum of w x^2 / 2
    z_ij      = gain_ij / sqrt(spread_ij + 1/2)
    odds_ij   = Phi(-z_ij) / Phi(z_ij)                      that j is better than i

the gain has mean g (1 - g) times the symmetrised difference of clicks, exactly. With t rounds and

    doubt   e = 1 / sqrt(1000 + t)
    test    g = min(1/2, max(e, least_doubt) odds_ij n_slots)
    overrule  j passes i above it in every list where e^2 odds_ij > 1

so the model is overruled by evidence that chance gives less than once in t, and a pair is shown the
other way round the more rarely, the surer the tests are that it is right. Where the model
is wrong and early tests happened to agree with it, a doubt that tends to 0 corrects it ever later.
With a least doubt, a model is wrong in so many rounds only that the regret is O(log T)
(docs/explanation/how_matchrank_works.md).
"""

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.normal import upper_tail
from unirank.policies.kernels.randomness import Rng, below, uniform
from unirank.policies.match_rank.state import State

PATIENCE = 1000.0  # rounds after which the doubt begins to fall: before, it would test too much
OVERRULING = 1.0  # e^2 times the odds above which the tests overrule the model: by chance, 1 / t
MOST_SWAPS = 0.5  # largest chance of a test to swap its pair: a fair coin, which teaches most
PRIOR_SPREAD = 0.5  # before any click: a first one is evidence of one standard deviation at most
LEAST_CHANCE = 1e-300


@compiled
def doubt_after(rounds: float) -> float:
    """Return e."""
    return 1.0 / np.sqrt(PATIENCE + rounds)


@compiled
def overrules(state: State, above: int, below_: int) -> bool:
    """Whether the tests put `below_` over `above`, whatever the model says."""
    doubt = state.now[0].doubt
    return doubt * doubt * state.odds[above, below_] > OVERRULING


@compiled
def climb(state: State, ranking: NDArray[np.int64], position: int, item: int) -> None:
    """Put `item` at `position`, or above the items over which it is put by tests."""
    while position > 0 and overrules(state, ranking[position - 1], item):
        ranking[position] = ranking[position - 1]
        position -= 1
    ranking[position] = item


@compiled
def overrule(state: State, ranking: NDArray[np.int64]) -> None:
    """Correct a list of the model, so that no item is overruled by the next or by one outside."""
    now = state.now[0]
    n_items, n_positions = state.clicked.shape
    for position in range(1, n_positions):
        climb(state, ranking, position, ranking[position])
    if n_items == n_positions:
        return
    for position in range(n_positions):
        state.page[ranking[position]] = now.rounds
    for _ in range(n_items * n_positions):  # tests may contradict each other in a circle
        last = ranking[n_positions - 1]
        item = 0
        while item < n_items and not (
            overrules(state, last, item) and state.page[item] != now.rounds
        ):
            item += 1
        if item == n_items:
            return
        state.page[last] = 0
        state.page[item] = now.rounds
        climb(state, ranking, n_positions - 1, item)


@compiled
def n_slots_of(state: State) -> int:
    """Return the number of pairs that can be tested: those of neighbours, and that of the last."""
    n_items, n_positions = state.clicked.shape
    return n_positions if n_items > n_positions else n_positions - 1


@compiled
def swap_chance(state: State, above: int, other: int) -> float:
    """Return g of a pair, once it is under test."""
    doubt = max(state.now[0].doubt, state.least_doubt)
    return min(doubt * n_slots_of(state) * state.odds[above, other], MOST_SWAPS)


@compiled
def test(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    """Put a random pair of the list under test, and show it the other way round with chance g."""
    now = state.now[0]
    n_items, n_positions = state.clicked.shape
    n_slots = n_slots_of(state)
    now.slot = 0
    if n_slots == 0:
        return
    now.slot = 1 + below(rng, n_positions, n_slots)
    above = ranking[now.slot - 1]
    if now.slot < n_positions:
        other = ranking[now.slot]
    else:
        draw = n_positions + 2
        other = below(rng, draw, n_items)
        while state.page[other] == now.rounds:
            draw += 1
            other = below(rng, draw, n_items)
    chance = swap_chance(state, above, other)
    now.weight = chance
    if uniform(rng, n_positions + 1) < chance:
        now.weight = 1.0 - chance
        ranking[now.slot - 1] = other
        if now.slot < n_positions:
            ranking[now.slot] = above
        other = above
    now.other = other


@compiled
def learn(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    """Add the clicks on the pair under test to its sums."""
    now = state.now[0]
    if now.slot == 0:
        return
    above, other = ranking[now.slot - 1], now.other
    x = np.float64(clicks[now.slot - 1])
    if now.slot < ranking.size:
        other = ranking[now.slot]
        x -= np.float64(clicks[now.slot])
    if x == 0.0:
        return
    state.gain[above, other] += now.weight * x
    state.gain[other, above] -= now.weight * x
    state.spread[above, other] += 0.5 * now.weight * x * x
    state.spread[other, above] = state.spread[above, other]
    weigh(state, above, other)


@compiled
def weigh(state: State, i: int, j: int) -> None:
    """Compute the odds of a pair from its sums."""
    z = state.gain[i, j] / np.sqrt(state.spread[i, j] + PRIOR_SPREAD)
    tail = max(upper_tail(abs(z)), LEAST_CHANCE)
    odds = tail / (1.0 - tail)  # of the worse item
    state.odds[i, j] = odds if z > 0.0 else 1.0 / odds
    state.odds[j, i] = 1.0 / state.odds[i, j]
