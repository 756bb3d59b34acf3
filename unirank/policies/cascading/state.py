"""State of the cascading policies: looks and clicks per item, and the opening.

CascadeUCB1, CascadeKL-UCB and dcmKL-UCB differ in the index of an item and in the click that ends
the part of a list which was read. Rounds 1, 2, ..., L, the opening, show item 1, 2, ..., L first
(then the following ones, in a circle) and count the first position only, so that each item starts
with one look. From then on

    clicked_i, examined_i   clicks on item i, and looks at it
    t                       rankings given before this one, answered or not: L, L + 1, ...
    show                    the n_positions items of largest index, the largest first

Equal indices are put in a uniformly random order: `propensity` is 1 over the number of orders that
the ties allow, so 1 without ties. A late answer to an opening round still counts one position: a
policy remembers, with each unanswered round, whether it belonged to the opening.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.policies.kernels.selection import chance_of
from unirank.policies.shared.cell_bounds import count, new_cells
from unirank.policies.shared.index_drift import DRIFT, add_show
from unirank.policies.shared.opening import show_circle

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("certain_until", np.int64),  # KL-UCB: rankings up to which `order` may be proved again
        ("opening", np.bool_),  # the ranking to learn from was one of the opening
        ("drawn", np.bool_),  # the last ranking was selected by `indices`, where items may tie
    ]
)


class State(NamedTuple):
    cells: Any  # (n_items,) records CELL: looks ("shown"), clicks, and bounds of the KL-UCB index
    indices: NDArray[np.float64]  # (n_items,) scratch: indices, or bounds of them
    order: NDArray[np.int64]  # (n_items,) KL-UCB: the last ranking, then the other items
    drifts: Any  # (n_items,) records DRIFT, see `certificate.py`
    ahead: NDArray[np.float64]  # (n_positions,) how far an item was ahead of the next one
    now: Any  # (1,) record NOW
    exploration: float  # UCB1: the factor of ln t


@compiled
def opens(state: State, ranking: NDArray[np.int64]) -> bool:
    """Count a round; if it belongs to the opening, fill `ranking`."""
    now = state.now[0]
    n_items = state.order.size
    now.opening = now.rounds < n_items
    now.drawn = not now.opening
    if now.opening:
        show_circle(now.rounds, n_items, ranking)
    now.rounds += 1
    return now.opening


@compiled
def learn(state: State, item: int, click: bool) -> None:
    """Count one look at an item."""
    count(state.cells[item], click)
    now = state.now[0]
    if now.certain_until > 0 and not add_show(state.drifts[item], click):
        now.certain_until = 0


@compiled
def update_to_first_click(
    state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]
) -> None:
    """Count the positions up to the first click, or all: people leave at a click."""
    n_read = 1 if state.now[0].opening else ranking.size
    for position in range(n_read):
        learn(state, ranking[position], clicks[position])
        if clicks[position]:
            return


@compiled
def update_to_last_click(
    state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]
) -> None:
    """Count the positions up to the last click, or all: people may go on after a click."""
    n_read = 0
    for position in range(ranking.size):
        if clicks[position]:
            n_read = position + 1
    if n_read == 0:
        n_read = ranking.size
    if state.now[0].opening:
        n_read = 1
    for position in range(n_read):
        learn(state, ranking[position], clicks[position])


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return chance_of(state.indices, ranking) if state.now[0].drawn else 1.0


@compiled
def remember(state: State, memory: NDArray[np.uint8]) -> int:
    memory[0] = state.now[0].opening
    return 1


class CascadingPolicy(Policy):
    """Base class of the three policies: state, memory of the opening, state files."""

    def initial_state(self) -> State:
        return State(
            cells=new_cells(1, self.n_items)[0],
            indices=np.zeros(self.n_items),
            order=np.arange(self.n_items),
            drifts=np.zeros(self.n_items, DRIFT),
            ahead=np.zeros(self.n_positions),
            now=np.zeros(1, NOW),
            exploration=self.options.get("exploration", 0.0),
        )

    def memory_room(self) -> int:
        return 1

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.now["opening"] = memory == b"\1"

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        return memory in (b"\0", b"\1")

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            "examined": self.state.cells["shown"].copy(),
            "clicked": self.state.cells["clicked"].copy(),
            "rounds": self.state.now["rounds"].copy(),
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        for name, array in self.statistics().items():
            if array.shape != statistics[name].shape:
                raise ArgumentError(f"{name} must have shape {array.shape}")
        examined, clicked, rounds = (statistics[n] for n in ("examined", "clicked", "rounds"))
        if not 0 <= rounds[0] <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds[0]}")
        if examined.min() < 0 or examined.max() > rounds[0]:
            raise ArgumentError("examined must be counts of at most the number of rounds")
        if clicked.min() < 0 or (clicked > examined).any():
            raise ArgumentError("clicked must be counts of at most examined")
        self.state = self.initial_state()
        self.state.cells["shown"], self.state.cells["clicked"] = examined, clicked
        self.state.now["rounds"] = rounds
