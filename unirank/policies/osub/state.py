"""State of OSUB: the lists met so far, found by fingerprint, and the neighbours of one list.

    key of a list  =  sum over positions of mark(position, item)   modulo 2^64

So the key of a neighbour differs by two or four marks. `grown` enlarges the table before a round
that may not find room for its two lists, the leader and the one played.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import FREE, filled_table, find
from unirank.policies.kernels.randomness import GOLDEN, mixed
from unirank.policies.kernels.tournament import empty_tournament, enter
from unirank.policies.kernels.unimodal import ARM, UNPLAYED, mean_of

NOW = np.dtype(
    [
        ("n_arms", np.int64),
        ("chance", np.float64),  # probability of the list shown last; NaN if leaders tied
    ]
)
MOST_CLICKS = 2**50  # of an arm read from a file: sums stay exact


class State(NamedTuple):
    arms: Any  # (room,) records ARM, in the order in which the lists were met
    lists: NDArray[np.int32]  # (room, n_positions) what each arm shows
    keys: NDArray[np.uint64]  # (2 room,) the table: keys of the lists ...
    arm_of: NDArray[np.int64]  # (2 room,) ... and their arms
    means: NDArray[np.float64]  # (2 room,) the tournament of the arms' means
    counts: NDArray[np.int64]  # (2 room,)
    marks: NDArray[np.uint64]  # (n_positions, n_items)
    near: NDArray[np.int64]  # (1 + n_neighbours,) a leader and its neighbours
    tied: NDArray[np.int64]  # (1 + n_neighbours,) places in `near` of the largest index
    swaps: NDArray[np.int32]  # (1 + n_neighbours, 2) slots of `order` to exchange
    order: NDArray[np.int64]  # (n_items,) scratch: the leader, then the items it does not show
    now: Any  # (1,) record NOW
    loglog_weight: float


def initial_state(n_items: int, n_positions: int, *, loglog_weight: float) -> State:
    """Return a state that has met no list."""
    swaps = swaps_of(n_items, n_positions)
    marks = np.zeros((n_positions, n_items), np.uint64)
    draw_marks(marks)
    return _with_room(
        State(
            arms=np.zeros(0, ARM),
            lists=np.zeros((0, n_positions), np.int32),
            keys=np.zeros(0, np.uint64),
            arm_of=np.zeros(0, np.int64),
            means=np.zeros(0),
            counts=np.zeros(0, np.int64),
            marks=marks,
            near=np.full(len(swaps), UNPLAYED, np.int64),
            tied=np.zeros(len(swaps), np.int64),
            swaps=swaps,
            order=np.arange(n_items),
            now=np.zeros(1, NOW),
            loglog_weight=loglog_weight,
        ),
        np.zeros(0, ARM),
        np.zeros((0, n_positions), np.int32),
    )


@compiled
def draw_marks(marks: NDArray[np.uint64]) -> None:
    for position in range(marks.shape[0]):
        start = mixed(np.uint64(position + 1) * GOLDEN)
        for item in range(marks.shape[1]):
            marks[position, item] = mixed(start + np.uint64(item + 1) * GOLDEN)


def swaps_of(n_items: int, n_positions: int) -> NDArray[np.int32]:
    """Slots of `order` to exchange, for the list itself and for each of its neighbours.

    First the pairs of positions, then each position with each item that is not shown.
    """
    exchanges = np.stack(np.triu_indices(n_positions, 1), axis=1)
    grid = np.meshgrid(np.arange(n_positions), np.arange(n_positions, n_items), indexing="ij")
    replacements = np.stack(grid, axis=2).reshape(-1, 2)
    return np.concatenate(([[0, 0]], exchanges, replacements)).astype(np.int32)


def _with_room(state: State, arms: Any, lists: NDArray[np.int32]) -> State:
    """Return the state with these arms, room for as many more, and all derived values."""
    n_arms = len(arms)
    found = np.zeros(n_arms, np.uint64)
    keys_of(state.marks, lists, found)
    keys, arm_of = filled_table(found, np.arange(n_arms))
    room = keys.size // 2
    means, counts = empty_tournament(room)
    more = np.zeros(room, ARM)
    more[:n_arms] = arms
    shown = np.zeros((room, lists.shape[1]), np.int32)
    shown[:n_arms] = lists
    state.now["n_arms"] = n_arms
    state = state._replace(
        arms=more, lists=shown, keys=keys, arm_of=arm_of, means=means, counts=counts
    )
    enter_means(state, n_arms)
    return state


def grown(state: State) -> State:
    """Return an equal state with room for more lists."""
    n_arms = int(state.now["n_arms"][0])
    return _with_room(state, state.arms[:n_arms], state.lists[:n_arms])


def with_statistics(
    state: State,
    lists: NDArray[np.int32],
    clicks: NDArray[np.int64],
    plays: NDArray[np.int64],
    leads: NDArray[np.int64],
) -> State:
    """Return an initial state with these arms, which may come from a forged file."""
    n_positions, n_items = state.marks.shape
    if lists.ndim != 2 or lists.shape[1] != n_positions:
        raise ArgumentError(f"lists must have {n_positions} columns, got shape {lists.shape}")
    columns = {"clicks": clicks, "plays": plays, "leads": leads}
    for name, column in columns.items():
        if column.shape != (len(lists),) or column.min(initial=0) < 0:
            raise ArgumentError(f"{name} must be one count per list")
        if column.max(initial=0) > MOST_CLICKS:
            raise ArgumentError(f"{name} must be at most {MOST_CLICKS}")
    if (clicks > n_positions * plays).any():
        raise ArgumentError("clicks must be at most n_positions per play")
    in_order = np.sort(lists, axis=1)
    if lists.min(initial=0) < 0 or lists.max(initial=0) >= n_items:
        raise ArgumentError(f"lists must hold items 0..{n_items - 1}")
    if (in_order[:, 1:] == in_order[:, :-1]).any():
        raise ArgumentError("lists must not show an item twice")
    if len(np.unique(lists, axis=0)) < len(lists):
        raise ArgumentError("lists must be different from each other")
    arms = np.zeros(len(lists), ARM)
    arms["gained"], arms["plays"], arms["leads"] = clicks, plays, leads
    return _with_room(state, arms, lists)


@compiled
def full(state: State) -> bool:
    return state.now[0].n_arms + 2 > state.arms.size


@compiled
def key_of(marks: NDArray[np.uint64], ranking: NDArray[np.integer[Any]]) -> np.uint64:
    key = np.uint64(0)
    for position in range(ranking.size):
        key += marks[position, ranking[position]]
    return max(key, np.uint64(1))


@compiled
def keys_of(marks: NDArray[np.uint64], lists: NDArray[np.int32], keys: NDArray[np.uint64]) -> None:
    for one in range(keys.size):
        keys[one] = key_of(marks, lists[one])


@compiled
def enter_means(state: State, n_arms: int) -> None:
    for arm in range(n_arms):
        record = state.arms[arm]
        mean = mean_of(record.gained, record.plays, float(state.lists.shape[1]))
        enter(state.means, state.counts, arm, mean)


@compiled
def arm_at(state: State, key: np.uint64) -> int:
    """Return the arm with this key, or UNPLAYED."""
    place = find(state.keys, key)
    return state.arm_of[place] if state.keys[place] != FREE else UNPLAYED


@compiled
def arm_of_list(state: State, ranking: NDArray[np.int64]) -> int:
    """Return the arm of a list, or UNPLAYED if it was never met."""
    return arm_at(state, key_of(state.marks, ranking))


@compiled
def met(state: State, ranking: NDArray[np.int64]) -> int:
    """Return the arm of a list; enter it if it is new; UNPLAYED if there is no room."""
    key = key_of(state.marks, ranking)
    place = find(state.keys, key)
    if state.keys[place] != FREE:
        return state.arm_of[place]
    now = state.now[0]
    arm = now.n_arms
    if arm >= state.arms.size:
        return UNPLAYED
    state.keys[place] = key
    state.arm_of[place] = arm
    for position in range(ranking.size):
        state.lists[arm, position] = ranking[position]
    now.n_arms += 1
    return arm


@compiled
def gather(state: State, leader: int) -> None:
    """Fill `near` with this arm and its neighbours."""
    n_positions = state.lists.shape[1]
    arrange(state, leader)
    key = np.uint64(0)
    for position in range(n_positions):
        key += state.marks[position, state.order[position]]
    state.near[0] = leader
    for place in range(1, state.near.size):
        here, there = state.swaps[place, 0], state.swaps[place, 1]
        mine, other = state.order[here], state.order[there]
        changed = key - state.marks[here, mine] + state.marks[here, other]
        if there < n_positions:
            changed += state.marks[there, mine] - state.marks[there, other]
        state.near[place] = arm_at(state, max(changed, np.uint64(1)))


@compiled
def arrange(state: State, leader: int) -> None:
    """Make `order` the leader's list, then the items it does not show, ascending."""
    n_positions, n_items = state.marks.shape
    slot = n_positions
    for item in range(n_items):
        shown = False
        for position in range(n_positions):
            if state.lists[leader, position] == item:
                shown = True
        if not shown:
            state.order[slot] = item
            slot += 1
    for position in range(n_positions):
        state.order[position] = state.lists[leader, position]
