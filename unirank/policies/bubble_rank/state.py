"""BubbleRank's state: its base list R_1..R_K, the pool behind it, and the dropped items."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rounds played
        ("n_pool", np.int64),  # items of the pool
        ("offset", np.int64),  # first position, from 0, of the first pair that was played
        ("other", np.int64),  # the item that the one at position K was compared with, or -1
    ]
)


class State(NamedTuple):
    wins: NDArray[np.int64]  # (n_items, n_items) W
    base: NDArray[np.int64]  # (n_items,) base list, pool, dropped
    now: Any  # (1,) record NOW
    n_positions: int
    factor: float  # 16 ln T: certain is s^2 > n factor
    draws_start: bool  # the first round draws the base list


def start_list(
    items: Sequence[int | str], n_positions: int, initial: Sequence[int | str]
) -> NDArray[np.int64]:
    """Return the indices of all items, those of `initial` first."""
    places = {item: index for index, item in enumerate(items)}
    first = [places[item] for item in initial if item in places]
    if len(first) != len(initial) or len(first) not in (n_positions, len(items)):
        raise ArgumentError(
            f"initial must be n_positions={n_positions} or all {len(items)} of the items, "
            f"each once, got {initial!r}"
        )
    return np.array([*first, *sorted(set(places.values()) - set(first))], np.int64)


def initial_state(
    n_items: int, n_positions: int, horizon: int, base: NDArray[np.int64] | None
) -> State:
    """Return the state before the first round; without a base list, that round draws one."""
    now = np.zeros(1, NOW)
    now["n_pool"], now["other"] = n_items - n_positions, -1
    return State(
        wins=np.zeros((n_items, n_items), np.int64),
        base=np.arange(n_items) if base is None else base,
        now=now,
        n_positions=n_positions,
        factor=16.0 * float(np.log(horizon)),
        draws_start=base is None,
    )


def with_statistics(
    state: State, wins: NDArray[np.int64], base: NDArray[np.int64], clock: NDArray[np.int64]
) -> State:
    """Put checked statistics into an initial state."""
    n_items, n_positions = state.base.size, state.n_positions
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
    state.now["rounds"], state.now["n_pool"] = rounds, n_pool
    return state


@compiled
def certainly_better(state: State, item: int, other: int) -> bool:
    won, lost = float(state.wins[item, other]), float(state.wins[other, item])
    difference = won - lost
    return difference > 0.0 and difference * difference > (won + lost) * state.factor


@compiled
def bubble(state: State) -> None:
    """From top to bottom, exchange neighbours whose lower item is certainly better."""
    base = state.base
    for upper in range(state.n_positions - 1):
        if certainly_better(state, base[upper + 1], base[upper]):
            base[upper], base[upper + 1] = base[upper + 1], base[upper]


@compiled
def use_pool(state: State) -> None:
    """Compare the pool, in its order, with R_K: drop worse items, let a better one replace it."""
    now, base = state.now[0], state.base
    last, place = state.n_positions - 1, state.n_positions
    while place < state.n_positions + now.n_pool:
        item, dropped = base[place], base[last]
        if certainly_better(state, item, base[last]):
            base[last] = item
        elif certainly_better(state, base[last], item):
            dropped = item
        else:
            place += 1
            continue
        now.n_pool -= 1
        end = state.n_positions + now.n_pool
        for slot in range(place, end):
            base[slot] = base[slot + 1]
        base[end] = dropped
