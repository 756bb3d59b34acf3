"""What the cascading policies share: counts of looks and clicks, and who was looked at.

CascadeUCB1, CascadeKL-UCB and dcmKL-UCB differ in the optimistic index of an item and in the click
that ends the part of a list which was read. Round 1, 2, ..., L, the opening, show item 1, 2, ..., L
first (then the following ones, in a circle) and count its first position only: each item starts
with one look. From then on

    clicked_i, examined_i   clicks on, and looks at, item i
    t                       rankings given before this one, answered or not: L, L + 1, ...
    show                    the n_positions items of largest index, the largest first

Equal indices are put in a uniformly random order: `propensity` is 1 over the number of orders which
that leaves possible, so 1 where none tie. A late answer to an opening round counts as one: a policy
remembers, with each unanswered round, whether it was.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.optimism import peak_of
from unirank.kernels.randomness import LARGEST_ROUND
from unirank.kernels.selection import chance_of
from unirank.policies.base.policy import Policy
from unirank.policies.shared.cell_bounds import new_cells
from unirank.policies.shared.opening import show_circle

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("opening", np.bool_),  # the ranking last given was one of the opening
        ("drawn", np.bool_),  # it was selected by `indices`, where items may have tied
        ("stale", np.bool_),  # KL: the fences do not hold for every item
        ("budget", np.float64),  # KL: of the ranking last given
        ("nearest", np.float64),  # KL: below this budget the items stay between their fences
    ]
)

FENCE = np.dtype([("x", np.float64), ("log_x", np.float64), ("log_not_x", np.float64)])


class State(NamedTuple):
    """UCB1 needs the first four arrays; the others are those of `cascading_order`."""

    examined: NDArray[np.int64]  # (n_items,)
    clicked: NDArray[np.int64]  # (n_items,)
    indices: NDArray[np.float64]  # (n_items,) scratch
    now: Any  # (1,) record NOW
    cells: Any  # (n_items,) records CELL: the same counts, and bounds of the index
    peak: NDArray[np.float64]  # (n_items,) log-likelihood of the clicks at their own mean
    order: NDArray[np.int64]  # (n_items,) the present ranking, then the others, the best one first
    place: NDArray[np.int64]  # (n_items,) position of an item, n_positions for the others
    fences: Any  # (n_positions,) records FENCE: between a position and all behind it
    exploration: float  # c: in c ln t for UCB1, in ln t + c ln ln t for KL-UCB


@compiled
def opens(state: State, ranking: NDArray[np.int64]) -> bool:
    """Count a round; if it is one of the opening, fill `ranking`."""
    now = state.now[0]
    n_items = state.examined.size
    now.opening = now.rounds < n_items
    now.drawn = not now.opening
    if now.opening:
        show_circle(now.rounds, n_items, ranking)
    now.rounds += 1
    return now.opening


@compiled
def read_to_first_click(state: State, clicks: NDArray[np.bool_]) -> int:
    """How many positions were looked at by one who leaves at the first click."""
    if state.now[0].opening:
        return 1
    for position in range(clicks.size):
        if clicks[position]:
            return position + 1
    return clicks.size


@compiled
def read_to_last_click(state: State, clicks: NDArray[np.bool_]) -> int:
    """How many positions were surely looked at by one who may go on after a click."""
    if state.now[0].opening:
        return 1
    for behind in range(clicks.size):
        if clicks[clicks.size - 1 - behind]:
            return clicks.size - behind
    return clicks.size


@compiled
def propensity(state: State, ranking: NDArray[np.int64]) -> float:
    return chance_of(state.indices, ranking) if state.now[0].drawn else 1.0


class CascadingPolicy(Policy):
    """What the three policies share as objects."""

    def initial_state(self) -> State:
        n_items, n_positions = self.n_items, self.n_positions
        now = np.zeros(1, NOW)
        now["stale"] = True
        return State(
            examined=np.zeros(n_items, np.int64),
            clicked=np.zeros(n_items, np.int64),
            indices=np.zeros(n_items),
            now=now,
            cells=new_cells(1, n_items)[0],
            peak=np.zeros(n_items),
            order=np.arange(n_items),
            place=np.minimum(np.arange(n_items), n_positions),
            fences=np.zeros(n_positions, FENCE),
            exploration=self.options.get("exploration", 3.0),
        )

    def remember(self) -> bytes:
        return self.state.now["opening"].tobytes()

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        self.state.now["opening"] = memory == b"\1"

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        return memory in (b"\0", b"\1")

    def statistics(self) -> dict[str, NDArray[Any]]:
        return {
            "examined": self.state.examined,
            "clicked": self.state.clicked,
            "rounds": self.state.now["rounds"],
        }

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        super().restore(statistics)
        examined, clicked, now = self.state.examined, self.state.clicked, self.state.now
        if not 0 <= now["rounds"][0] <= LARGEST_ROUND:
            raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {now['rounds'][0]}")
        if examined.min() < 0 or examined.max() > now["rounds"][0]:
            raise ArgumentError("examined must be counts of at most the number of rounds")
        if clicked.min() < 0 or (clicked > examined).any():
            raise ArgumentError("clicked must be counts of at most examined")
        self.state.cells["shown"], self.state.cells["clicked"] = examined, clicked
        counts = zip(clicked.tolist(), examined.tolist(), strict=True)
        self.state.peak[:] = [peak_of(float(c), n) for c, n in counts]
