"""UniRank's state: the statistics, and what is derived from them and kept between rounds.

    statistics   wins W_ij, and how many rounds each leader was the leader
    leader       `order` and `ends`, kept until a pair changes sign (`stale`)
    decisions    the best pairs of each neighbour (`summaries`), the neighbours of largest index
                 (`tied`), and how long no neighbour is optimistic (`crossing`)

Where nothing is forgotten, statistics are integers. With a half-life they are numbers in units of
`scale` (base/half_life.py), and decisions are made anew in each round.

A neighbour of the leader is numbered by a slot of `order`, that of its first item behind: below
`taken` the subset that starts there is merged with the subset before it; from `taken` on it is one
item of the rest, added to the last displayed subset. `forget_decisions` is the only place where
decisions are dropped.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.half_life import FORGOTTEN, LARGEST_SCALE
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.counting import FREE, filled_table

LEADER = -1  # what is played when no neighbour is
EVERY_NEIGHBOUR = -2
NEVER_DECIDED = -1
NO_LEADERS: dict[str, Any] = {
    "leader_keys": np.zeros(0, np.uint64),
    "leader_counts": np.zeros(0, np.int64),
}

NOW = np.dtype(
    [
        ("key", np.uint64),  # fingerprint of the leader
        ("place", np.int64),  # of the leader in the table of leaders
        ("n_leaders", np.int64),
        ("taken", np.int64),  # items in the leader's displayed subsets; the rest is behind them
        ("strict", np.bool_),  # every shown position has a subset of its own
        ("stale", np.bool_),  # a pair changed sign: elicit the leader again
        (
            "decided_at",
            np.int64,
        ),  # rounds the leader had led when `tied` was found
        ("n_tied", np.int64),  # neighbours of largest index; 0: play the leader
        ("crossing", np.int64),  # until the leader has led so many rounds, no index exceeds 0
        ("certain_below", np.float64),  # while the budget is below this, `tied` stays right
        ("favourite", np.int64),  # the neighbour that won last, where the next search starts
        ("played", np.int64),  # the neighbour played last, or LEADER
        ("scale", np.float64),  # weight of a comparison that is made now
        ("clock", np.int64),  # rounds given, if there is a half-life
        ("rescaled", np.int64),  # how often all statistics were divided by a large scale
    ]
)


FRONT = 6

SUMMARY = np.dtype(
    [
        ("wins", np.float64),  # of the item behind
        ("comparisons", np.float64),  # 0: no entry; in the first: to be summarised again
        ("peak", np.float64),
        ("exact", np.bool_),  # a pair, not a bound on several
    ],
    align=True,
)


class State(NamedTuple):
    wins: NDArray[Any]  # (n_items, n_items) W
    leader_keys: NDArray[np.uint64]  # (capacity,) fingerprints of the leaders met
    leader_counts: NDArray[Any]  # (capacity,) rounds each was the leader
    scores: NDArray[np.int64]  # (n_items,) doubled Copeland scores
    start_of: NDArray[np.int64]  # (2 n_items - 1,) doubled score -> first slot of its subset
    order: NDArray[np.int64]  # (n_items,) the leader: items by subset
    ends: NDArray[np.int64]  # (n_items + 1,) first slot of a subset -> its end
    summaries: Any  # (n_items, FRONT) records SUMMARY of the neighbours
    tied: NDArray[np.int64]  # (n_items,) the neighbours of largest index
    shown: NDArray[np.int64]  # (n_items,) as played: the ranking, then the last subset's unseen
    shown_ends: NDArray[np.int64]  # (n_positions,) position -> end of its played subset
    now: Any  # (1,) record NOW
    loglog_weight: float
    explore_early: bool
    growth: float  # factor by which `scale` grows each round; 1: no half-life


def initial_state(
    n_items: int,
    n_positions: int,
    *,
    loglog_weight: float,
    explore_early: bool,
    growth: float = 1.0,
    n_leaders: int | None = None,
) -> State:
    """No clicks yet: every pair undecided. With `n_leaders` there is room for so many only."""
    now = np.zeros(1, NOW)
    now["stale"] = True
    now["decided_at"] = NEVER_DECIDED
    now["scale"] = 1.0
    number: Any = np.int64 if growth == 1.0 else np.float64
    leaders = filled_table(np.zeros(0, np.uint64), np.zeros(0, number))
    if n_leaders is not None:
        leaders = np.zeros(4 * n_leaders, np.uint64), np.zeros(4 * n_leaders, number)
    return State(
        np.zeros((n_items, n_items), number),
        *leaders,
        scores=np.full(n_items, n_items - 1, np.int64),
        start_of=np.zeros(2 * n_items - 1, np.int64),
        order=np.arange(n_items),
        ends=np.zeros(n_items + 1, np.int64),
        summaries=np.zeros((n_items, FRONT), SUMMARY),
        tied=np.zeros(n_items, np.int64),
        shown=np.zeros(n_items, np.int64),
        shown_ends=np.zeros(n_positions, np.int64),
        now=now,
        loglog_weight=loglog_weight,
        explore_early=explore_early,
        growth=growth,
    )


def with_statistics(
    state: State,
    wins: NDArray[Any],
    leader_keys: NDArray[np.uint64],
    leader_counts: NDArray[Any],
    scale: Any = 1.0,
    clock: Any = 0,
) -> State:
    """Give an initial state these statistics; all else follows from them."""
    if wins.shape != state.wins.shape or not is_counted(wins) or wins.diagonal().any():
        raise ArgumentError("wins must be a square table of counts")
    if np.size(scale) != 1 or not 1.0 <= np.max(scale) <= 2 * LARGEST_SCALE:
        raise ArgumentError(f"scale must be one number in 1..{2 * LARGEST_SCALE}, got {scale!r}")
    if np.size(clock) != 1 or np.min(clock) < 0:
        raise ArgumentError(f"clock must be one count of rounds, got {clock!r}")
    if leader_keys.shape != leader_counts.shape or not is_counted(leader_counts):
        raise ArgumentError("leader_keys and leader_counts must be tables of the same length")
    if len(set(leader_keys.tolist()) - {int(FREE)}) < len(leader_keys):
        raise ArgumentError("leader_keys must be unique and not 0")
    state.wins[:] = wins
    state.scores[:] = copeland_scores(wins)
    state.now["scale"], state.now["clock"] = scale, clock
    state.now["n_leaders"] = len(leader_keys)
    keys, counts = filled_table(leader_keys, leader_counts.astype(state.leader_counts.dtype))
    return state._replace(leader_keys=keys, leader_counts=counts)


def is_counted(numbers: NDArray[Any]) -> bool:
    return bool(np.all((numbers >= 0) & (numbers < np.inf)))


def copeland_scores(wins: NDArray[Any]) -> NDArray[np.int64]:
    """Twice the number of items each is ahead of, undecided ones counting half."""
    scores = 2 * (wins > wins.T).sum(axis=1) + (wins == wins.T).sum(axis=1) - 1
    return scores.astype(np.int64)


@compiled
def forget_decisions(state: State, neighbour: int) -> None:
    """Drop what was decided on the pairs of one neighbour, or of EVERY_NEIGHBOUR."""
    now = state.now[0]
    now.crossing = 0
    now.decided_at = NEVER_DECIDED
    if neighbour != EVERY_NEIGHBOUR:
        state.summaries[neighbour, 0].comparisons = 0
        return
    for slot in range(state.order.size):
        state.summaries[slot, 0].comparisons = 0
    now.favourite = LEADER


@compiled
def observe(state: State, clicked: int, other: int) -> None:
    """Count one round in which `clicked` was clicked and `other`, of the same subset, was not."""
    before = state.wins[clicked, other] - state.wins[other, clicked]
    state.wins[clicked, other] += state.now[0].scale
    after = state.wins[clicked, other] - state.wins[other, clicked]
    if before <= 0 and after >= 0:  # scores change only when a pair changes sign
        climbed = (after > 0) + (before < 0)
        state.scores[clicked] += climbed
        state.scores[other] -= climbed
        state.now[0].stale = True


@compiled
def rescale_if_due(state: State) -> None:
    """Divide all statistics by a large scale; what counts next to nothing is forgotten."""
    if state.now[0].scale <= LARGEST_SCALE:
        return
    now = state.now[0]
    scale = now.scale
    now.scale = 1.0
    now.rescaled += 1
    n_items = state.order.size
    for i in range(n_items):
        for j in range(n_items):
            here = state.wins[i, j] / scale
            state.wins[i, j] = here if here >= FORGOTTEN else 0.0
    for i in range(n_items):
        score = n_items - 1
        for j in range(n_items):
            score += (state.wins[i, j] > state.wins[j, i]) - (state.wins[i, j] < state.wins[j, i])
        state.scores[i] = score
    for place in range(state.leader_counts.size):
        state.leader_counts[place] = state.leader_counts[place] / scale
    now.stale = True
    forget_decisions(state, EVERY_NEIGHBOUR)


@compiled
def age(state: State) -> None:
    """One round more was given: what is learnt from now on weighs more, if there is a half-life."""
    if state.growth > 1.0:
        now = state.now[0]
        now.clock += 1
        now.scale *= state.growth


def wins_now(state: State) -> NDArray[Any]:
    """Return the wins with past comparisons discounted as of now."""
    return state.wins if state.growth == 1.0 else state.wins / state.now["scale"][0]


def counted_now(statistics: dict[str, Any]) -> dict[str, Any]:
    """Return the statistics with past comparisons discounted as of now."""
    if "scale" not in statistics:
        return statistics
    scale = statistics["scale"][0]
    return {**statistics, **{n: statistics[n] / scale for n in ("wins", "leader_counts")}}


def rounds_led(leader_keys: Any, leader_counts: Any, **_: Any) -> dict[int, Any]:
    """The table of leaders, by fingerprint."""
    return dict(zip(leader_keys.tolist(), leader_counts.tolist(), strict=True))


def subsets(state: State) -> list[list[int]]:
    """The leader's subsets, the rest last, as lists of item indices."""
    parts: list[list[int]] = []
    start = 0
    while start < len(state.order):
        end = int(state.ends[start])
        parts.append(state.order[start:end].tolist())
        start = end
    return parts
