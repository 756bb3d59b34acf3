"""TopRank's state, and the blocks that its proofs imply.

    blocks   P_1 = items that no item was proved better than; P_2 = the same without P_1; ...

Proofs can contradict each other in a cycle, if rarely: then nobody is left that no one is better
than, and all that are left form one block. Blocks are cut only as far as the page shows them, and
only when something was proved or forgotten.

With a half-life, wins are numbers in units of `scale` (base/half_life.py), and so are proofs: each
is the scale at which it was found. A proof lapses when one half-life has passed, because no click
says anything about its pair meanwhile; then the pair is compared again.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.half_life import FORGOTTEN, LARGEST_SCALE
from unirank.policies.kernels.compiling import compiled
from unirank.policies.shared.partition_memory import memory_room

ROUNDING = 1e-9

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rounds played
        ("horizon", np.int64),  # H
        ("least", np.float64),  # 2 ln(c / delta): no pair is decided while S^2 < N least
        ("strict", np.bool_),  # every shown position has a block of its own
        ("stale", np.bool_),  # `shown` is of other blocks than the present ones
        ("scale", np.float64),  # weight of a comparison that is made now
        ("lapse", np.float64),  # scale at which the oldest proof lapses
        ("proved", np.int64),  # how many updates proved something
        ("dropped", np.int64),  # how often proofs were dropped
        ("packed", np.int64),  # length of `memory`; 0: it is of other blocks than `shown`
    ]
)


class State(NamedTuple):
    wins: NDArray[Any]  # (n_items, n_items) W
    better: NDArray[Any]  # (n_items, n_items) row was proved better than column
    n_better: NDArray[np.int64]  # (n_items,) how many were proved better than this one
    ahead: NDArray[np.int64]  # (n_items,) scratch: how many of those no block holds yet
    order: NDArray[np.int64]  # (n_items,) the displayed blocks, ascending inside each
    ends: NDArray[np.int64]  # (n_positions,) position -> end of its block in `order`
    shown: NDArray[np.int64]  # (n_items,) as played: the ranking, then the last block's unseen
    shown_ends: NDArray[np.int64]  # (n_positions,) position -> end of its played block
    swapped: NDArray[
        np.int64
    ]  # (n_positions,) place that each position of `shown` was swapped with
    memory: NDArray[np.uint8]  # what `remember` writes for the blocks of `shown`
    now: Any  # (1,) record NOW
    constant: float  # c
    doubling: bool
    growth: float  # factor by which `scale` grows each round; 1: no half-life


def initial_state(
    n_items: int,
    n_positions: int,
    *,
    horizon: int,
    constant: float,
    doubling: bool,
    growth: float = 1.0,
) -> State:
    """No clicks yet: all items in one block."""
    state = State(
        wins=np.zeros((n_items, n_items), np.int64 if growth == 1.0 else np.float64),
        better=np.zeros((n_items, n_items), np.bool_ if growth == 1.0 else np.float64),
        n_better=np.zeros(n_items, np.int64),
        ahead=np.zeros(n_items, np.int64),
        order=np.zeros(n_items, np.int64),
        ends=np.zeros(n_positions, np.int64),
        shown=np.zeros(n_items, np.int64),
        shown_ends=np.zeros(n_positions, np.int64),
        swapped=np.zeros(n_positions, np.int64),
        memory=np.zeros(memory_room(n_items, n_positions), np.uint8),
        now=np.zeros(1, NOW),
        constant=constant,
        doubling=doubling,
        growth=growth,
    )
    state.now["scale"] = 1.0
    forget(state, horizon)
    return state


def with_statistics(
    state: State,
    wins: NDArray[Any],
    better: NDArray[Any],
    clock: NDArray[np.int64],
    scale: Any = 1.0,
) -> State:
    """Give an initial state these statistics; all else follows from them."""
    counted = bool(np.all((wins >= 0) & (wins < np.inf)))
    if wins.shape != state.wins.shape or not counted or wins.diagonal().any():
        raise ArgumentError("wins must be a square table of counts")
    if better.shape != wins.shape or better.diagonal().any():
        raise ArgumentError("better must be a square table of pairs")
    if np.size(scale) != 1 or not 1.0 <= np.max(scale) <= 2 * LARGEST_SCALE:
        raise ArgumentError(f"scale must be one number in 1..{2 * LARGEST_SCALE}, got {scale!r}")
    if clock.shape != (2,) or not is_possible_clock(state, *clock.tolist()):
        raise ArgumentError("clock must be the rounds played and a horizon that fits them")
    forget(state, int(clock[1]))
    state.now["rounds"] = clock[0]
    state.wins[:] = wins
    state.now["scale"] = scale
    if state.growth == 1.0:
        state.better[:] = better.view(np.uint8) != 0  # a forged byte can be a truth value beyond 1
    elif not bool(np.all((better >= 0) & (better <= np.max(scale)))):
        raise ArgumentError("better must hold scales of the past")
    else:
        state.better[:] = better
        state.now["lapse"] = 2 * np.min(better, where=better > 0, initial=np.inf)
    state.n_better[:] = (state.better > 0).sum(axis=0)
    arrange(state)
    return state


def counted_now(statistics: dict[str, Any]) -> dict[str, Any]:
    """Return the statistics with past comparisons discounted as of now."""
    if "scale" not in statistics:
        return statistics
    tables = {name: statistics[name] / statistics["scale"][0] for name in ("wins", "better")}
    return {**statistics, **tables, "scale": np.ones(1)}


def is_possible_clock(state: State, rounds: int, horizon: int) -> bool:
    """Whether the clock of this initial state can reach these values."""
    first = int(state.now["horizon"][0])
    if not state.doubling:
        return rounds >= 0 and horizon == first
    doubled, left = divmod(horizon, first)
    power_of_two = left == 0 and doubled > 0 and doubled.bit_count() == 1
    return power_of_two and (0 if doubled == 1 else horizon // 2) <= rounds < horizon


@compiled
def arrange(state: State) -> None:
    """Split the items into blocks until these fill the page; the rest is not shown."""
    n_items, n_positions = state.order.size, state.ends.size
    for item in range(n_items):
        state.ahead[item] = state.n_better[item]
    now = state.now[0]
    now.strict = now.stale = True
    start = 0
    while start < n_positions:
        end = collect(state, start, 0)
        if end == start:  # proofs contradict each other in a cycle: the items left form one block
            end = collect(state, start, n_items)
        for position in range(start, min(end, n_positions)):
            state.ends[position] = end
        now.strict = now.strict and end == start + 1
        if end < n_positions:
            for slot in range(start, end):
                for item in range(n_items):
                    if state.better[state.order[slot], item]:
                        state.ahead[item] -= 1
        start = end


@compiled
def collect(state: State, end: int, most: int) -> int:
    """Append to `order` all remaining items with at most `most` better ones among them."""
    for item in range(state.order.size):
        if 0 <= state.ahead[item] <= most:
            state.ahead[item] = -1
            state.order[end] = item
            end += 1
    return end


@compiled
def forget(state: State, horizon: int) -> None:
    """Start afresh, for this horizon."""
    now = state.now[0]
    now.horizon = horizon
    now.least = 2.0 * np.log(state.constant * horizon) * (1.0 - ROUNDING)
    now.lapse = np.inf
    now.dropped += 1
    state.wins[:, :] = 0
    state.better[:, :] = False
    state.n_better[:] = 0
    arrange(state)


@compiled
def let_proofs_lapse(state: State) -> None:
    """Divide by a large scale, and drop the proofs that are a half-life old."""
    now = state.now[0]
    n_items = state.order.size
    if now.scale > LARGEST_SCALE:
        for i in range(n_items):
            for j in range(n_items):
                here = state.wins[i, j] / now.scale
                state.wins[i, j] = here if here >= FORGOTTEN else 0.0
                state.better[i, j] = state.better[i, j] / now.scale
        now.lapse /= now.scale
        now.scale = 1.0
    if now.scale < now.lapse:
        return
    now.lapse = np.inf
    now.dropped += 1
    state.n_better[:] = 0
    for i in range(n_items):
        for j in range(n_items):
            lapses = 2.0 * state.better[i, j]
            if now.scale >= lapses:
                state.better[i, j] = False
            else:
                now.lapse = min(now.lapse, lapses)
                state.n_better[j] += 1
    arrange(state)


def displayed_blocks(state: State) -> list[list[int]]:
    """The blocks that reach the page, as lists of item indices."""
    cuts = [0, *sorted(set(state.ends.tolist()))]
    return [state.order[start:end].tolist() for start, end in pairwise(cuts)]
