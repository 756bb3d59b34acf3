"""State of GRAB and S-GRAB: clicks per item and position, the leader, rounds per leader.

    leader   the list with the largest sum over positions k of mean[k, item_k] + noise[k, item_k]

`shared/cell_bounds.py` defines means and noise. The noise makes the leader unique and is far
smaller than two means can differ in any realistic game. The leader is an assignment of items to
positions; it is solved again only when the prices stop proving the old one optimal
(`kernels/assignment.py`).
"""

from math import log
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.options import Count, Horizon
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.assignment import (
    Assignment,
    no_assignment,
    reassign,
    weight_changed,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import FREE, filled_table, find
from unirank.policies.kernels.randomness import GOLDEN, LARGEST_ROUND, mixed
from unirank.policies.shared.cell_bounds import (
    cells_with,
    check_budget,
    count,
    draw_noise,
    mean_of,
    new_cells,
)
from unirank.policies.shared.index_drift import DRIFT, add_show

LEADER_BUDGET = -1.0  # stands for ln t + 3 ln ln t, t the rounds with the present leader

NOW = np.dtype(
    [
        ("key", np.uint64),  # fingerprint of the leader
        ("place", np.int64),  # of the leader in the table of leaders
        ("n_leaders", np.int64),
        ("prepared", np.bool_),  # noise and weights are there
        ("stale", np.bool_),  # prices do not prove the leader
        ("moved", np.bool_),  # the neighbours are not those of the leader
        ("n_tied", np.int64),  # neighbours of largest index; 0: the leader is played
        ("winner", np.int64),  # neighbour that the last search found; see `certificate.py`
        ("certain_until", np.int64),  # rounds with this leader up to which it may win again
        ("lead", np.float64),  # how far the winner was ahead of the leader
    ]
)


class State(NamedTuple):
    cells: Any  # (n_positions, n_items) records CELL
    leader_keys: NDArray[np.uint64]  # (capacity,) fingerprints of the leaders met
    leader_counts: NDArray[np.int64]  # (capacity,) rounds each was the leader
    weights: NDArray[np.float64]  # (n_positions, n_items) mean + noise
    leader: Assignment
    order: NDArray[np.int64]  # (n_positions,) positions by decreasing weight of their items
    first: NDArray[np.int64]  # (n_neighbours,) position that a neighbour changes
    other: NDArray[np.int64]  # (n_neighbours,) position it swaps with, then: item it takes instead
    own: NDArray[np.float64]  # (n_positions,) lower bounds of the indices of the leader's cells
    gaps: NDArray[np.float64]  # (n_neighbours,) index of a neighbour less that of the leader, bound
    tied: NDArray[np.int64]  # (n_neighbours,) neighbours of largest index
    ahead: NDArray[np.float64]  # (n_swaps + n_positions,) how far the winner was ahead of others
    drifts: Any  # (2, n_positions) records DRIFT: of the leader's cells, of those the winner gains
    gained: NDArray[np.int64]  # (n_positions,) the items of the winner
    now: Any  # (1,) record NOW
    n_swaps: int
    period: int
    budget: float  # ln T, or LEADER_BUDGET


@compiled
def refresh_leader(state: State, key: np.uint64) -> None:
    """Bring the leader up to date; `key` addresses the policy's random numbers."""
    now = state.now[0]
    if not now.prepared:
        now.prepared = True
        draw_noise(state.cells, key)
        for position in range(state.order.size):
            for item in range(state.weights.shape[1]):
                weigh(state, position, item)
    if now.stale:
        now.stale = False
        if reassign(state.leader, state.weights) or now.key == FREE:
            meet_leader(state)


@compiled
def weigh(state: State, position: int, item: int) -> None:
    cell = state.cells[position, item]
    state.weights[position, item] = mean_of(cell) + cell.noise
    if weight_changed(state.leader, state.weights, position, item):
        state.now[0].stale = True


@compiled
def meet_leader(state: State) -> None:
    """Find the present leader in the table of leaders, or enter it."""
    now = state.now[0]
    key = np.uint64(0)
    for position in range(state.order.size):
        item = state.leader.items[position]
        key += mixed(np.uint64(position + 1) * GOLDEN + np.uint64(item + 1))
    now.key = max(key, np.uint64(1))
    now.place = find(state.leader_keys, now.key)
    if state.leader_keys[now.place] != now.key:
        state.leader_keys[now.place] = now.key
        now.n_leaders += 1
    now.moved = True


@compiled
def put_in_order(state: State) -> None:
    """Sort `order`, which is nearly sorted; equal weights by position."""
    items, weights, order = state.leader.items, state.weights, state.order
    for place in range(1, order.size):
        position = order[place]
        weight = weights[position, items[position]]
        slot = place
        while slot > 0:
            above = order[slot - 1]
            lead = weights[above, items[above]] - weight
            if lead > 0.0 or (lead == 0.0 and above < position):
                break
            order[slot] = above
            slot -= 1
        if slot < place:
            order[slot] = position
            state.now[0].moved = True


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        item = ranking[position]
        count(state.cells[position, item], clicks[position])
        follow(state, position, item, clicks[position])
        if state.now[0].prepared:
            weigh(state, position, item)


@compiled
def follow(state: State, position: int, item: int, click: bool) -> None:
    """Keep the certificate up to date; drop it if the drift of its cells is not known any more."""
    if item == state.leader.items[position]:
        known = add_show(state.drifts[0, position], click)
    elif item == state.gained[position]:
        known = add_show(state.drifts[1, position], click)
    else:
        known = False
    if not known:
        state.now[0].certain_until = 0


@compiled
def full(state: State) -> bool:
    return 2 * state.now[0].n_leaders >= state.leader_keys.size


class LeaderPolicy(Policy):
    """Base class of both policies: options, state files, the leader."""

    budget: Literal["leader", "horizon"] = "leader"
    horizon: Horizon | None = None
    period: Count | None = None

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        check_budget(options)
        if options["period"] is not None:
            arguments.integer("period", options["period"], 1, LARGEST_ROUND)
        return options

    def state_for(self, *, n_swaps: int, n_neighbours: int, period: int) -> State:
        n_items, n_positions = self.n_items, self.n_positions
        return State(
            new_cells(n_positions, n_items),
            *filled_table(np.zeros(0, np.uint64), np.zeros(0, np.int64)),
            weights=np.zeros((n_positions, n_items)),
            leader=no_assignment(n_positions, n_items),
            order=np.arange(n_positions),
            first=np.zeros(n_neighbours, np.int64),
            other=np.zeros(n_neighbours, np.int64),
            own=np.zeros(n_positions),
            gaps=np.zeros(n_neighbours),
            tied=np.zeros(n_neighbours, np.int64),
            ahead=np.zeros(n_swaps + n_positions),
            drifts=np.zeros((2, n_positions), DRIFT),
            gained=np.zeros(n_positions, np.int64),
            now=np.zeros(1, NOW),
            n_swaps=n_swaps,
            period=self.period or period,
            budget=LEADER_BUDGET if self.horizon is None else log(self.horizon),
        )

    def grow(self) -> None:
        met = self.state.leader_keys != FREE
        keys, counts = filled_table(self.state.leader_keys[met], self.state.leader_counts[met])
        self.state = self.state._replace(leader_keys=keys, leader_counts=counts)
        self.state.now["stale"] = True  # the leader's place in the table has changed
        self.state.now["key"] = FREE

    def statistics(self) -> dict[str, NDArray[Any]]:
        met = self.state.leader_keys != FREE
        return {
            "shown": np.ascontiguousarray(self.state.cells["shown"]),
            "clicked": np.ascontiguousarray(self.state.cells["clicked"]),
            "leader_keys": self.state.leader_keys[met],
            "leader_counts": self.state.leader_counts[met],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        keys, counts = statistics["leader_keys"], statistics["leader_counts"]
        shown, clicked = statistics["shown"], statistics["clicked"]
        cells = cells_with(self.n_positions, self.n_items, shown, clicked)
        if keys.ndim != 1 or keys.shape != counts.shape:
            raise ArgumentError("leader_keys and leader_counts must be tables of the same length")
        if counts.min(initial=0) < 0 or counts.max(initial=0) > LARGEST_ROUND:
            raise ArgumentError(f"leader_counts must be counts of at most {LARGEST_ROUND}")
        if len(set(keys.tolist()) - {int(FREE)}) < len(keys):
            raise ArgumentError("leader_keys must be unique and not 0")
        self.state = self.initial_state()
        self.state.cells[...] = cells
        self.state.now["n_leaders"] = len(keys)
        keys, counts = filled_table(keys, counts)
        self.state = self.state._replace(leader_keys=keys, leader_counts=counts)

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list of item ids that was clicked most, position by position."""
        if full(self.state):  # looking can meet a new leader, too
            self.grow()
        refresh_leader(self.state, self._key)
        return self._ids(self.state.leader.items)
