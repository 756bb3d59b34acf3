"""PB-MHB's state: the particle, the counts of clicks, and scratch arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.kernels.randomness import LARGEST_ROUND

PRIOR = 0.5  # clicks, and displays without a click, that each cell starts with
SMALLEST = 1e-100  # value of a coordinate, so that nothing overflows
MOST_WINDOW_ROUNDS = 1000  # that a window may last: long enough to cost little
WINDOW_DRIFT = 0.01  # how far a window may drift in that time, of the range of a random number

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("ordered", np.bool_),  # `best` and `order` are those of the particle, without ties
    ]
)

WINDOW = np.dtype(  # which proposals may be accepted; see `windows.py`
    [
        ("until", np.int64),  # the last round in which the window holds; 0: not known
        ("middle", np.float64),  # random numbers further from it than `half` propose values ...
        ("half", np.float64),
        ("under", np.float64),  # ... below `under` or above `over`
        ("over", np.float64),
        ("room_under", np.float64),  # what the log-likelihood of `under` can gain
        ("room_over", np.float64),
        ("hit", np.float64),  # what a click adds to that of `over`
    ]
)


class State(NamedTuple):
    theta: NDArray[np.float64]  # (n_items,) the particle's attraction, within (0, 1)
    kappa: NDArray[np.float64]  # (n_positions,) the particle's examination: 1, then within (0, 1)
    item_clicks: NDArray[np.float64]  # (n_items,) each S has the 1/2 of every cell
    position_clicks: NDArray[np.float64]  # (n_positions,)
    refused: NDArray[np.float64]  # (n_items, n_positions) shown and not clicked, plus 1/2
    refused_by_position: NDArray[np.float64]  # (n_positions, n_items) the same
    item_windows: Any  # (n_items,) records WINDOW
    position_windows: Any  # (n_positions,) records WINDOW
    places: NDArray[np.int64]  # (n_items,) scratch
    centres: NDArray[np.float64]  # (n_items,) scratch
    proposed: NDArray[np.float64]  # (n_items,) scratch
    mass: NDArray[np.float64]  # (n_items,) scratch
    tails: NDArray[np.float64]  # (n_items,) scratch
    best: NDArray[np.int64]  # (n_positions,) the items of largest theta
    order: NDArray[np.int64]  # (n_positions,) the positions by decreasing kappa
    now: Any  # (1,) record NOW
    window_rounds: int  # that a window may last; 0: without windows
    step: float
    n_sweeps: int
    warm_start: bool


def initial_state(
    n_items: int, n_positions: int, step: float, warm_start: bool, **options: Any
) -> State:
    """Return the state before the first round."""
    lasting = min(MOST_WINDOW_ROUNDS, int(8.0 * WINDOW_DRIFT * min(step, 1e6) ** 2))
    kappa = np.full(n_positions, 0.5)
    kappa[0] = 1.0
    return State(
        theta=np.full(n_items, 0.5),
        kappa=kappa,
        item_clicks=np.full(n_items, PRIOR * n_positions),
        position_clicks=np.full(n_positions, PRIOR * n_items),
        refused=np.full((n_items, n_positions), PRIOR),
        refused_by_position=np.full((n_positions, n_items), PRIOR),
        item_windows=np.zeros(n_items, WINDOW),
        position_windows=np.zeros(n_positions, WINDOW),
        places=np.zeros(n_items, np.int64),
        centres=np.zeros(n_items),
        proposed=np.zeros(n_items),
        mass=np.zeros(n_items),
        tails=np.zeros(n_items),
        best=np.zeros(n_positions, np.int64),
        order=np.zeros(n_positions, np.int64),
        now=np.zeros(1, NOW),
        window_rounds=lasting if warm_start else 0,
        step=step,
        warm_start=warm_start,
        **options,
    )


def check_statistics(
    theta: NDArray[np.float64],
    kappa: NDArray[np.float64],
    rounds: NDArray[np.int64],
    **counts: NDArray[np.int64],
) -> None:
    """Raise ArgumentError for statistics that no run of rounds could give."""
    if not 0 <= rounds[0] <= LARGEST_ROUND:
        raise ArgumentError(f"rounds must be in 0..{LARGEST_ROUND}, got {rounds[0]}")
    if not ((theta >= SMALLEST) & (theta < 1)).all():
        raise ArgumentError(f"theta must be in [{SMALLEST:g}, 1)")
    if kappa[0] != 1 or not ((kappa[1:] >= SMALLEST) & (kappa[1:] < 1)).all():
        raise ArgumentError(f"kappa must be 1, then in [{SMALLEST:g}, 1)")
    for name, count in counts.items():
        if count.min() < 0 or count.max() > rounds[0]:
            raise ArgumentError(f"{name} must be counts of at most the number of rounds")
    items, positions, refused = (
        counts[name] for name in ("item_clicks", "position_clicks", "refused")
    )
    shown = max((items + refused.sum(axis=1)).max(), (positions + refused.sum(axis=0)).max())
    if shown > rounds[0]:
        raise ArgumentError("clicks and refused must add up to at most the number of rounds")
    if items.sum() != positions.sum():
        raise ArgumentError("item_clicks and position_clicks must have the same sum")
