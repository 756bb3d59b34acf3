"""BubbleRank's state: its base list, the pool behind it, and what the clicks make of both.

    base      R_1..R_K, then the pool, then the items dropped for good
    bubble    from top to bottom, exchange neighbours whose lower item is certainly better
    settle    compare the pool with R_K: drop its worse items, let a better one take that place

Both run once per round of the algorithm. Here they are run only when they may find something:
after a click that made some pair certain, and after they changed the list, since an exchange makes
neighbours of items that were none.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import LARGEST_ROUND

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rounds played
        ("n_pool", np.int64),  # items of the pool
        ("offset", np.int64),  # first position, from 0, of the first pair that was played
        ("other", np.int64),  # the item that the one at position K was compared with, or -1
        ("unbubbled", np.bool_),  # some neighbours may be certain to stand in the wrong order
        ("unsettled", np.bool_),  # some pair of R_K and a pool item may be certain
    ]
)


class State(NamedTuple):
    wins: NDArray[np.int64]  # (n_items, n_items) W
    base: NDArray[np.int64]  # (n_items,) base list, pool, dropped
    place: NDArray[np.int64]  # (n_items,) item -> its place in `base`
    certain: NDArray[np.bool_]  # (n_positions,) R_k is certainly better than R_k+1; last unused
    now: Any  # (1,) record NOW
    factor: float  # 16 ln T: certain is s^2 > n factor
    draws_start: bool  # the first round draws the base list


def start_list(
    items: Sequence[int | str], n_positions: int, initial: Sequence[int | str]
) -> NDArray[np.int64]:
    """Indices of all items, those of `initial` first."""
    places = {item: index for index, item in enumerate(items)}
    try:
        first = [places[item] for item in arguments.item_ids(initial)]
    except (ArgumentError, KeyError):
        first = []
    if len(first) not in (n_positions, len(items)):
        raise ArgumentError(
            f"initial must be n_positions={n_positions} or all {len(items)} of the items, "
            f"each once, got {initial!r}"
        )
    return np.array([*first, *sorted(set(places.values()) - set(first))], np.int64)


def initial_state(
    n_items: int, n_positions: int, horizon: int, base: NDArray[np.int64] | None
) -> State:
    """No clicks yet; without a base list, the first round draws one."""
    state = State(
        wins=np.zeros((n_items, n_items), np.int64),
        base=np.arange(n_items),
        place=np.arange(n_items),
        certain=np.zeros(n_positions, np.bool_),
        now=np.zeros(1, NOW),
        factor=16.0 * float(np.log(horizon)),
        draws_start=base is None,
    )
    if base is not None:
        state.base[:] = base
        state.place[base] = np.arange(n_items)
    state.now["n_pool"] = n_items - n_positions
    state.now["other"] = -1
    return state


def with_statistics(
    state: State, wins: NDArray[np.int64], base: NDArray[np.int64], clock: NDArray[np.int64]
) -> State:
    """Give an initial state these statistics; all else follows from them."""
    n_items, n_positions = state.base.size, state.certain.size
    if wins.shape != state.wins.shape or wins.min() < 0 or wins.diagonal().any():
        raise ArgumentError("wins must be a square table of counts")
    if base.shape != (n_items,) or sorted(base.tolist()) != list(range(n_items)):
        raise ArgumentError("base must be an order of all items")
    if clock.shape != (2,):
        raise ArgumentError("clock must be the rounds played and the size of the pool")
    rounds, n_pool = clock.tolist()
    if not (0 <= rounds < LARGEST_ROUND and 0 <= n_pool <= n_items - n_positions):
        raise ArgumentError("clock must be the rounds played and a pool that fits")
    state.wins[:] = wins
    state.base[:] = base
    state.place[base] = np.arange(n_items)
    state.now["rounds"], state.now["n_pool"] = rounds, n_pool
    state.now["unbubbled"] = state.now["unsettled"] = True
    find_certain(state)
    return state


@compiled
def certainly_better(state: State, item: int, other: int) -> bool:
    won, lost = float(state.wins[item, other]), float(state.wins[other, item])
    difference = won - lost
    return difference > 0.0 and difference * difference > (won + lost) * state.factor


@compiled
def find_certain(state: State) -> None:
    for upper in range(state.certain.size - 1):
        state.certain[upper] = certainly_better(state, state.base[upper], state.base[upper + 1])


@compiled
def put(state: State, place: int, item: int) -> None:
    state.base[place] = item
    state.place[item] = place


@compiled
def bubble(state: State) -> None:
    """One pass over the base list, in place."""
    now, base = state.now[0], state.base
    now.unbubbled = False
    last = state.certain.size - 1
    incumbent = base[last]
    for upper in range(last):
        if certainly_better(state, base[upper + 1], base[upper]):
            risen, sunk = base[upper + 1], base[upper]
            put(state, upper, risen)
            put(state, upper + 1, sunk)
            now.unbubbled = True
    if now.unbubbled:
        find_certain(state)
    if base[last] != incumbent:
        now.unsettled = True


@compiled
def settle(state: State) -> None:
    """One pass over the pool, which keeps its order."""
    now, base = state.now[0], state.base
    now.unsettled = False
    n_positions = state.certain.size
    last = n_positions - 1
    place = n_positions
    while place < n_positions + now.n_pool:
        item, dropped = base[place], base[last]
        if certainly_better(state, item, base[last]):
            put(state, last, item)
            now.unbubbled = now.unsettled = True  # a newcomer has met neither list nor pool
        elif certainly_better(state, base[last], item):
            dropped = item
        else:
            place += 1
            continue
        now.n_pool -= 1
        end = n_positions + now.n_pool
        for left in range(place, end):
            put(state, left, base[left + 1])
        put(state, end, dropped)
    if now.unsettled:
        find_certain(state)
