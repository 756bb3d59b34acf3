"""MatchRank's state: counts, the position model as of its last refresh, and the tests of pairs.

counts       clicks and displays per item and position, from every round
model        its mode (log_attraction, log_examination) and the posterior around it
tests        gain and spread of every pair of items, from rounds that chance could have shown
             the other way round
derived      odds, from gain and spread; the items by attraction; sums of the last refresh
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.half_life import aged_common
from unirank.policies.base.start_order import ranks_in
from unirank.policies.base.sums import summed

NOW = np.dtype(
    [
        ("rounds", np.int64),  # rankings given
        ("next_refresh", np.int64),  # rounds after which the model is refreshed
        ("answers", np.int64),  # rounds whose clicks were learnt
        ("next_answers", np.int64),  # answers after which it is refreshed; UNSETTLED: thoroughly
        ("changed", np.int64),  # the round after which the last item came
        ("prior_clicks", np.float64),  # A, what the prior of an item is worth
        ("doubt", np.float64),  # e = 1 / sqrt(1000 + t) as of the last refresh
        ("slot", np.int64),  # the pair under test in the round that `update` learns from: items
        # at positions slot - 1 and slot; n_positions: the last item and `other`; 0: none
        ("other", np.int64),  # the item that is tested against the last one and was not shown
        ("weight", np.float64),  # chance that this pair was shown the other way round
        ("aged", np.int64),  # the round as of which counts and sums have faded
        ("trust", np.float64),  # rounds after which the start counts half; 0: there is none
    ]
)


LEAST_DOUBT = 0.0  # of a test; 1/250 acts from round 61,500 on, and costs 2 to 6 % in a million
UNSETTLED = -1  # `next_answers` of a model that is far from its counts


class State(NamedTuple):
    clicked: NDArray[Any]  # (n_items, n_positions) s; integers, unless they fade
    shown: NDArray[Any]  # (n_items, n_positions) n
    prior: NDArray[np.float64]  # (n_items, 2) clicks and displays that the start order is worth
    log_attraction: NDArray[np.float64]  # (n_items,) a
    log_examination: NDArray[np.float64]  # (n_positions,) b
    share: NDArray[np.float64]  # (n_items, n_positions) w / W
    deviation: NDArray[np.float64]  # (n_items,) sqrt(1 / W), of a log attraction that is drawn
    root: NDArray[np.float64]  # (n_positions, n_positions) U: U U' is the information of d
    pull: NDArray[np.float64]  # (n_positions,) U^-1 times the score of d
    gain: NDArray[np.float64]  # (n_items, n_items) sum of w x with row above column; antisymmetric
    spread: NDArray[np.float64]  # (n_items, n_items) sum of w x^2 / 2; symmetric
    odds: NDArray[np.float64]  # (n_items, n_items) that column is better than row, from the tests
    order: NDArray[np.int64]  # (n_items,) items by log_attraction
    page: NDArray[np.int64]  # (n_items,) the last round in which an item was on the page
    now: Any  # (1,) record NOW
    information: NDArray[np.float64]  # (n_items, n_positions) scratch: w
    item_information: NDArray[np.float64]  # (n_items,) scratch: W
    item_score: NDArray[np.float64]  # (n_items,) scratch
    position_score: NDArray[np.float64]  # (n_positions,) scratch
    step: NDArray[np.float64]  # (n_positions,) scratch: a change of b
    normals: NDArray[np.float64]  # (n_positions,) scratch
    draws: NDArray[np.float64]  # (n_items,) scratch: a normal number for each item
    samples: NDArray[np.float64]  # (n_items,) scratch: log attractions drawn
    half_life: float  # rounds after which counts and sums are halved; infinite: never
    least_doubt: float  # of a test


def initial_state(
    n_items: int,
    n_positions: int,
    first_slope: float,
    half_life: float | None = None,
    least_doubt: float = LEAST_DOUBT,
) -> State:
    """No clicks yet: all items alike, examination falling by `first_slope` a position."""

    def zeros(*shape: int) -> NDArray[np.float64]:
        return np.zeros(shape)

    now = np.zeros(1, NOW)
    now["prior_clicks"] = 1.0
    number: Any = np.int64 if half_life is None else np.float64
    return State(
        clicked=np.zeros((n_items, n_positions), number),
        shown=np.zeros((n_items, n_positions), number),
        prior=zeros(n_items, 2),
        log_attraction=np.full(n_items, -1.0),
        log_examination=-first_slope * np.arange(n_positions, dtype=np.float64),
        share=zeros(n_items, n_positions),
        deviation=np.ones(n_items),
        root=np.eye(n_positions),
        pull=zeros(n_positions),
        gain=zeros(n_items, n_items),
        spread=zeros(n_items, n_items),
        odds=np.ones((n_items, n_items)),
        order=np.arange(n_items),
        page=np.zeros(n_items, np.int64),
        now=now,
        information=zeros(n_items, n_positions),
        item_information=zeros(n_items),
        item_score=zeros(n_items),
        position_score=zeros(n_positions),
        step=zeros(n_positions),
        normals=zeros(n_positions),
        draws=zeros(n_items),
        samples=zeros(n_items),
        half_life=np.inf if half_life is None else half_life,
        least_doubt=least_doubt,
    )


def start_attraction(order: Any, n_items: int, n_positions: int) -> NDArray[np.float64]:
    """Attraction of each item, relative to the first, of which a start order is taken to speak.

    It falls slowly, to a half over one page, so that no item is taken to be hopeless.
    """
    return n_positions / (n_positions + ranks_in(order, n_items))


def last_prior(trust: float, n_items: int, n_positions: int) -> tuple[float, float]:
    """Return the clicks and displays that the start order gives to the last of its items."""
    return trust / 2, trust / 2 * (n_positions + n_items - 1) / n_positions


def put_start(state: State, order: NDArray[np.int64], trust: int) -> None:
    """Give an initial state the prior clicks and displays that this order is worth.

    A comparison is a click on one of two items, so `trust` of them are half as many clicks of each.
    """
    relative = start_attraction(order, *state.clicked.shape)
    state.prior[:, 0] = trust / 2
    state.prior[:, 1] = trust / 2 / relative
    state.now["trust"] = trust
    state.log_attraction[:] += np.log(relative)
    state.order[:] = np.argsort(-relative, kind="stable")


# Written by `update` only, unless a refresh lets them fade.
READ_BY_ROUNDS = {"clicked", "shown", "gain", "spread", "odds"}


def copy_to_draw_from(state: State) -> State:
    """Return a state that gives the same lists; to draw them does not change this one."""
    kept = {"half_life", "least_doubt", *(READ_BY_ROUNDS if state.half_life == np.inf else ())}
    fields = state._asdict().items()
    return State(**{name: field if name in kept else field.copy() for name, field in fields})


def restricted(state: State, numbers: NDArray[np.int64]) -> State:
    """Return the state as if there were only these items: item n of it is item numbers[n]."""
    pairs = {name: getattr(state, name)[np.ix_(numbers, numbers)] for name in BY_PAIR}
    fields: dict[str, Any] = {**pairs, **items_of(state, numbers)}
    return state._replace(**fields, now=state.now.copy())


def items_of(state: State, numbers: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Return what the state has of these items one by one, pairs aside."""
    local = np.full(len(state.order), -1)
    local[numbers] = np.arange(len(numbers))
    order = local[state.order]
    rows = {name: getattr(state, name)[numbers] for name in BY_ITEM}
    return {**rows, "order": order[order >= 0]}


def extended(state: State) -> State:
    """Return the state with one item more, as attractive as the mean, and last in a start order.

    The model is refreshed in the next round, and from then on as often as at the start.
    """
    rows = {
        name: np.pad(getattr(state, name), [(0, 1), *[(0, 0)] * (getattr(state, name).ndim - 1)])
        for name in BY_ITEM
    }
    pairs = {name: np.pad(getattr(state, name), (0, 1)) for name in BY_PAIR}
    pairs["odds"][-1] = pairs["odds"][:, -1] = 1.0
    rows["log_attraction"][-1] = np.log(np.exp(state.log_attraction).mean())
    rows["deviation"][-1] = 1.0
    n_items, n_positions = rows["clicked"].shape
    rows["prior"][-1] = last_prior(float(state.now["trust"][0]), n_items, n_positions)
    if state.now["rounds"] > 0:  # before the first round, it was always there
        state.now["changed"] = state.now["rounds"]
        state.now["next_answers"] = UNSETTLED
    fields: dict[str, Any] = {**rows, **pairs}
    return state._replace(**fields, order=np.append(state.order, len(state.order)))


BY_PAIR = ("gain", "spread", "odds")
BY_ITEM = (
    "clicked",
    "shown",
    "prior",
    "log_attraction",
    "share",
    "deviation",
    "page",
    "information",
    "item_information",
    "item_score",
    "draws",
    "samples",
)
LEARNT = (
    "clicked",
    "shown",
    "prior",
    "log_attraction",
    "log_examination",
    "share",
    "deviation",
    "root",
    "pull",
    "gain",
    "spread",
    "order",
)
NOW_LEARNT = (
    "rounds",
    "next_refresh",
    "answers",
    "next_answers",
    "changed",
    "prior_clicks",
    "doubt",
    "trust",
    "aged",
)  # the rest: one round


def statistics_of(state: State) -> dict[str, NDArray[Any]]:
    """All that a state file needs."""
    now = {name: state.now[name].copy() for name in NOW_LEARNT}
    return {**{name: getattr(state, name) for name in LEARNT}, **now}


SUMS = ("clicked", "shown", "gain", "spread")


def merged(
    mine: dict[str, Any], theirs: dict[str, Any], common: dict[str, Any], half_life: float | None
) -> dict[str, Any]:
    """Add up what both copies counted; my model stays until the next refresh."""
    parts = [counted_now(part, half_life) for part in (mine, theirs, common)]
    share, rounds = aged_common(*(int(part["rounds"][0]) for part in parts), half_life=half_life)
    sums = {name: summed(name, *(part[name] for part in parts), share=share) for name in SUMS}
    for name in ("clicked", "shown", "spread"):
        sums[name] = np.maximum(sums[name], 0)  # rounding must not make it negative
    sums["clicked"] = np.minimum(sums["clicked"], sums["shown"])
    answers = mine["answers"] + theirs["answers"] - common["answers"]
    clock = {
        "rounds": np.array([rounds]),
        "aged": np.array([rounds if half_life else 0]),
        "answers": np.maximum(answers, 0),
    }
    return {**mine, **sums, **clock}


def counted_now(statistics: dict[str, Any], half_life: float | None) -> dict[str, Any]:
    """Statistics in which all that has passed has faded."""
    if half_life is None:
        return statistics
    left = np.exp2((statistics["aged"] - statistics["rounds"])[0] / half_life)
    return {**statistics, **{name: statistics[name] * left for name in SUMS}}


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
    if sorted(statistics["order"].tolist()) != list(range(len(state.order))):
        raise ArgumentError("order must hold every item once")
    if statistics["spread"].min() < 0.0:
        raise ArgumentError(f"spread must be at least 0, got {statistics['spread'].min()}")
    if statistics["prior_clicks"].min() <= 0.0:
        raise ArgumentError(f"prior_clicks must be above 0, got {statistics['prior_clicks'].min()}")
    if statistics["prior"].min() < 0.0 or statistics["trust"].min() < 0.0:
        raise ArgumentError("prior and trust must be at least 0")
    if statistics["rounds"].min() < 0:
        raise ArgumentError(f"rounds must be a count, got {statistics['rounds'].min()}")
    if statistics["answers"].min() < 0:
        raise ArgumentError(f"answers must be a count, got {statistics['answers'].min()}")
    if not 0 <= statistics["changed"].min() <= statistics["rounds"].min():
        raise ArgumentError(f"changed must be a round given, got {statistics['changed'].min()}")
    if not 0 <= statistics["aged"].min() <= statistics["rounds"].min():
        raise ArgumentError(f"aged must be a round given, got {statistics['aged'].min()}")
    for name in LEARNT:
        getattr(state, name)[...] = statistics[name]
    for name in NOW_LEARNT:
        state.now[name] = statistics[name]
