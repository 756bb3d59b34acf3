"""BatchRank's state: its batches, by position.

Only the batch of the last position can have more items than positions: a split gives its first part
as many items as positions, and only items without a position are dropped. So `order` lists the
items of all batches by position; then those of the last batch that have no position; then the
dropped ones. The numbers of a batch stand at its first position.
"""

from itertools import pairwise
from math import ceil, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import budget

LAST_STAGE = 20  # 16 4^20 views are more than any game has rounds
LOGLOG_WEIGHT = 3.0

NOW = np.dtype(
    [
        ("n_left", np.int64),  # items not dropped
        ("n_ended", np.int64),  # stages that have ended, of any batch
    ]
)


class State(NamedTuple):
    order: NDArray[np.int64]  # (n_items,) batch after batch, each its seen items and its fresh
    clicked: NDArray[np.int64]  # (n_items,) clicks counted in this stage
    ends: NDArray[np.int64]  # (n_positions,) position -> end of its batch
    since: NDArray[np.int64]  # (n_positions,) n_ended when the stage of its batch began
    shown_since: NDArray[np.int64]  # (n_positions,) the same, in the round that was shown
    stage: NDArray[np.int64]  # (n_positions,) at the first position of a batch: l
    views: NDArray[np.int64]  # (n_positions,) there: fewest views of its items
    seen: NDArray[np.int64]  # (n_positions,) there: how many of them have one view more
    lengths: NDArray[np.int64]  # (LAST_STAGE + 1,) n_0, n_1, ...
    upper: NDArray[np.float64]  # (n_items,) scratch: U
    lower: NDArray[np.float64]  # (n_items,) scratch: L
    best: NDArray[np.int64]  # (n_positions,) scratch: d_1, d_2, ...
    moved: NDArray[np.int64]  # (n_items,) scratch: items on their way to another slot
    now: Any  # (1,) record NOW
    budget: float  # ln T + 3 ln ln T


def initial_state(n_items: int, n_positions: int, horizon: int) -> State:
    """Return the state before the first round: one batch of all positions and items."""
    now = np.zeros(1, NOW)
    now["n_left"] = n_items
    return State(
        order=np.arange(n_items),
        clicked=np.zeros(n_items, np.int64),
        ends=np.full(n_positions, n_positions, np.int64),
        since=np.zeros(n_positions, np.int64),
        shown_since=np.zeros(n_positions, np.int64),
        stage=np.zeros(n_positions, np.int64),
        views=np.zeros(n_positions, np.int64),
        seen=np.zeros(n_positions, np.int64),
        lengths=np.array([stage_length(stage, horizon) for stage in range(LAST_STAGE + 1)]),
        upper=np.zeros(n_items),
        lower=np.zeros(n_items),
        best=np.zeros(n_positions, np.int64),
        moved=np.zeros(n_items, np.int64),
        now=now,
        budget=float(budget(horizon, LOGLOG_WEIGHT)),
    )


def stage_length(stage: int, horizon: int) -> int:
    """Return n_l, how many views each item gets in stage l: at least one."""
    return max(1, ceil(16 * 4**stage * log(horizon)))


@compiled
def n_members(state: State, start: int) -> int:
    """Return the number of items of the batch that starts at this position."""
    end = state.ends[start]
    return (state.now[0].n_left if end == state.ends.size else end) - start


@compiled
def begin_stage(state: State, start: int, end: int, stage: int) -> None:
    """Make positions start..end a batch that has no clicks yet."""
    for position in range(start, end):
        state.ends[position] = end
        state.since[position] = state.now[0].n_ended
    state.stage[start] = stage
    state.views[start] = state.seen[start] = 0


def with_statistics(
    state: State,
    order: NDArray[np.int64],
    clicked: NDArray[np.int64],
    clock: NDArray[np.int64],
    **batches: NDArray[np.int64],
) -> State:
    """Put checked statistics into an initial state."""
    n_items, n_positions = state.order.size, state.ends.size
    if order.shape != (n_items,) or sorted(order.tolist()) != list(range(n_items)):
        raise ArgumentError("order must be an order of all items")
    if clock.shape != (2,) or not (n_positions <= clock[0] <= n_items and clock[1] >= 0):
        raise ArgumentError("clock must be the items left and the stages that have ended")
    for name, array in batches.items():
        if array.shape != (n_positions,) or array.min() < 0:
            raise ArgumentError(f"{name} must be {n_positions} counts")
    ends = batches["ends"].tolist()
    if any(not p < end <= n_positions or ends[end - 1] != end for p, end in enumerate(ends)):
        raise ArgumentError("ends must be the end of the batch of each position")
    if clicked.shape != (n_items,) or clicked.min() < 0:
        raise ArgumentError("clicked must be a count for each item")
    state.order[:], state.clicked[:] = order, clicked
    state.now["n_left"], state.now["n_ended"] = clock
    for name, array in batches.items():
        getattr(state, name)[:] = array
    for start in batch_starts(state):
        check_batch(state, start)
    if state.since.max() > clock[1]:
        raise ArgumentError("since must not be later than the stages that have ended")
    return state


def check_batch(state: State, start: int) -> None:
    """Raise ArgumentError for a batch whose numbers no run of rounds could give."""
    stage, views = int(state.stage[start]), int(state.views[start])
    if stage > LAST_STAGE:
        raise ArgumentError(f"stage must be in 0..{LAST_STAGE}, got {stage}")
    needed, n_items = state.lengths[stage], n_members(state, start)
    if views >= needed or state.seen[start] >= n_items:
        raise ArgumentError(f"views and seen must be below {needed} and {n_items}")
    items = state.order[start : start + n_items]
    n_views = views + (np.arange(n_items) < state.seen[start])
    if (state.clicked[items] > n_views).any():
        raise ArgumentError("clicked must not exceed the views of an item")


def batch_starts(state: State) -> list[int]:
    """Return the first position of each batch."""
    return [0, *sorted(set(state.ends.tolist()))][:-1]


def current_batches(state: State) -> list[list[int]]:
    """Return the item indices of each batch in ascending order."""
    cuts = [*batch_starts(state), int(state.now["n_left"][0])]
    return [sorted(state.order[start:end].tolist()) for start, end in pairwise(cuts)]
