"""MatchRank's state: counts, the mode of the position model, matched comparisons, the leader.

    statistics   clicks and displays per item and position; the mode (log_attraction,
                 log_examination); the posterior around it as of the last refresh; gap, square, sets
                 and spread of matched comparisons; the leader and the rounds that wait for matches
    derived      chances that an item is worse than another, places in the leader

A slot of the leader stands for a pair: slot c < n_positions for the items at positions c - 1 and c,
slot p >= n_positions for the last shown item and the outsider at place p.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("next_refresh", np.int64),  # rounds after which the model is refreshed
        ("version", np.int64),  # how often the leader changed
        ("shown_round", np.int64),  # the round that `update` learns from ...
        ("shown_version", np.int64),  # ... and the leader's version when it was shown
        ("stale", np.bool_),  # matched comparisons overrule the leader: elect again
        ("doubt", np.float64),  # e: odds at which the model is believed against no evidence
    ]
)

WAITING = np.dtype(
    [
        ("since", np.int64),  # the swapped round that waits for matches; 0: none
        ("difference", np.float64),  # x of that round
        ("matches", np.int64),  # straight rounds since
        ("total", np.float64),  # sum of their x
        ("squares", np.float64),  # sum of their x^2
    ],
    align=True,
)


class State(NamedTuple):
    clicked: NDArray[np.int64]  # (n_items, n_positions) s
    shown: NDArray[np.int64]  # (n_items, n_positions) n
    log_attraction: NDArray[np.float64]  # (n_items,) a
    log_examination: NDArray[np.float64]  # (n_positions,) b
    share: NDArray[np.float64]  # (n_items, n_positions) w / W
    shape_a: NDArray[np.float64]  # (n_items,) of the Beta that is drawn for an item
    shape_b: NDArray[np.float64]  # (n_items,)
    cholesky: NDArray[np.float64]  # (n_positions, n_positions) of the positions' information
    position_scale: NDArray[np.float64]  # (n_positions,) square root of the temper
    gap: NDArray[np.float64]  # (n_items, n_items) sum of x with row above column
    square: NDArray[np.float64]  # (n_items, n_items) sum of x^2
    sets: NDArray[np.float64]  # (n_items, n_items) matched sets, symmetric
    spread: NDArray[np.float64]  # (n_items, n_items) sum of 1 + 1/m, symmetric
    worse: NDArray[np.float64]  # (n_items, n_items) Phi(-z): chance that row is worse than column
    leader: NDArray[np.int64]  # (n_items,) all items, those of the page first
    place: NDArray[np.int64]  # (n_items,) of an item in `leader`
    changed_at: NDArray[np.int64]  # (n_items,) version in which the pair of a slot changed last
    waiting: Any  # (n_items,) record WAITING by slot
    now: Any  # (1,) record NOW
    information: NDArray[np.float64]  # (n_items, n_positions) scratch: w
    item_information: NDArray[np.float64]  # (n_items,) scratch: W
    item_score: NDArray[np.float64]  # (n_items,) scratch
    position_score: NDArray[np.float64]  # (n_positions,) scratch
    step: NDArray[np.float64]  # (n_positions,) scratch
    samples: NDArray[np.float64]  # (n_items,) scratch
    old_leader: NDArray[np.int64]  # (n_items,) scratch


def initial_state(n_items: int, n_positions: int, first_slope: float, first_doubt: float) -> State:
    """No clicks yet: all items alike, examination falling by `first_slope` a position."""

    def zeros(*shape: int) -> NDArray[np.float64]:
        return np.zeros(shape)

    now = np.zeros(1, NOW)
    now["doubt"] = first_doubt
    return State(
        clicked=np.zeros((n_items, n_positions), np.int64),
        shown=np.zeros((n_items, n_positions), np.int64),
        log_attraction=np.full(n_items, -1.0),
        log_examination=-first_slope * np.arange(n_positions, dtype=np.float64),
        share=zeros(n_items, n_positions),
        shape_a=np.ones(n_items),
        shape_b=np.ones(n_items),
        cholesky=np.eye(n_positions),
        position_scale=np.ones(n_positions),
        gap=zeros(n_items, n_items),
        square=zeros(n_items, n_items),
        sets=zeros(n_items, n_items),
        spread=zeros(n_items, n_items),
        worse=np.full((n_items, n_items), 0.5),
        leader=np.arange(n_items),
        place=np.arange(n_items),
        changed_at=np.zeros(n_items, np.int64),
        waiting=np.zeros(n_items, WAITING),
        now=now,
        information=zeros(n_items, n_positions),
        item_information=zeros(n_items),
        item_score=zeros(n_items),
        position_score=zeros(n_positions),
        step=zeros(n_positions),
        samples=zeros(n_items),
        old_leader=np.zeros(n_items, np.int64),
    )


LEARNT = (
    "clicked",
    "shown",
    "log_attraction",
    "log_examination",
    "share",
    "shape_a",
    "shape_b",
    "cholesky",
    "position_scale",
    "gap",
    "square",
    "sets",
    "spread",
    "leader",
    "changed_at",
)


def statistics_of(state: State) -> dict[str, NDArray[Any]]:
    """All that a state file needs."""
    waiting = {f"waiting_{name}": state.waiting[name].copy() for name in WAITING.names or ()}
    now = {f"now_{name}": state.now[name].copy() for name in NOW.names or ()}
    return {**{name: getattr(state, name) for name in LEARNT}, **waiting, **now}


def put_statistics(state: State, statistics: dict[str, NDArray[Any]]) -> None:
    """Give an initial state these statistics; a file that cannot be true is refused."""
    for name, fresh in statistics_of(state).items():
        given = statistics[name]
        if given.shape != fresh.shape:
            raise ArgumentError(f"{name} must have shape {fresh.shape}, got {given.shape}")
        if given.dtype.kind == "f" and not np.isfinite(given).all():
            raise ArgumentError(f"{name} must be finite numbers")
    clicked, shown = statistics["clicked"], statistics["shown"]
    if (clicked < 0).any() or (clicked > shown).any():
        raise ArgumentError("clicked must be counts of at most shown")
    if sorted(statistics["leader"].tolist()) != list(range(len(state.leader))):
        raise ArgumentError("leader must hold every item once")
    if min(statistics["shape_a"].min(), statistics["shape_b"].min()) < 1.0:
        raise ArgumentError("shape_a and shape_b must be at least 1")
    if statistics["cholesky"].diagonal()[1:].min(initial=1.0) <= 0.0:
        raise ArgumentError("cholesky must have a positive diagonal")
    if min(statistics["sets"].min(), statistics["now_rounds"].min()) < 0:
        raise ArgumentError("sets and rounds must be counts")
    for name in LEARNT:
        getattr(state, name)[...] = statistics[name]
    for record, names, prefix in (
        (state.waiting, WAITING.names, "waiting"),
        (state.now, NOW.names, "now"),
    ):
        for name in names or ():
            record[name] = statistics[f"{prefix}_{name}"]
    state.place[state.leader] = np.arange(len(state.leader))
