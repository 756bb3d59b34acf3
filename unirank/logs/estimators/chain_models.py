"""Chain models (DCM, SDBN, DBN, CCM): read from the top, click or not, read on or leave.

    P(click on i | read)       = attraction_i
    P(read on | clicked)       = after_click, of the item (DBN, CCM) or of the position (DCM)
    P(read on | did not click) = after_skip

Everything down to the last click was read. Where the user stopped below it is hidden. Let S_j be
the probability of no click from position j on, given that j is read, on a page with m positions:

    S_j = (1 - attraction_j) (1 - after_skip + after_skip S_(j+1)),   S_(m-1) = 1 - attraction_(m-1)

A tail from j on, below the last click, has probability 1 - after_click + after_click S_j. A pass
down the page then gives P(j is read | no click below), and so the expected numbers of reads, and of
stops and continuations after clicks and skips, from which EM estimates all parameters. Whether the
user would have read on past the end of the page is unobservable and not counted.

EM starts from the textbook's closed form,

    attraction_i = clicks on i / impressions of i at or above the last click
    stop         = last clicks / clicks

with every page without a click read to its end. The closed form is not consistent: it counts every
last click as a stop, although the user may have read on without clicking. EM cannot leave a wrong
attraction of 1 (it then expects no reader below the last click), so a start at 1 is moved to
`OFF_BORDER` if steps follow. A stop probability of 1 is never wrong: no user was seen to read on.
"""

from math import inf, log
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators.base import Estimator, Evidence, table_of
from unirank.logs.estimators.bernoulli import log_prior, log_share, shares, totals
from unirank.logs.statistics import Chains, QueryStatistics
from unirank.policies.kernels.compiling import compiled

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
OFF_BORDER = 0.9


class Head(NamedTuple):
    """Counts down to the last click, where everything was read."""

    reads: Floats  # (n_items,)
    clicks: Floats  # (n_items,)
    on: Floats  # (n_groups,) clicks that were not the last
    skips: Floats  # (1,) reads without a click, all of them read past


class Tails(NamedTuple):
    """The last click and the positions below; see `Chains`."""

    items: Integers  # (n_tails, n_positions)
    clicked: Integers  # (n_tails,)
    sessions: Integers  # (n_tails,)


class ChainState(NamedTuple):
    head: Head
    tails: Tails
    by_position: bool  # what goes on after a click depends on the position, else on the item
    prior: float
    attraction: Floats  # (n_items,)
    by_group: Floats  # the model's own parameters, by item or by position
    shared: Floats  # the model's own parameters, for the whole query
    after_click: Floats  # (n_groups,) chance to read on, set by `value` from the parameters
    after_skip: Floats  # (1,)
    reads: Floats  # (n_items,); this and the fields below are expected numbers
    on: Floats  # (n_groups,) clicks after which the user read on
    off: Floats  # (n_groups,) clicks after which the user left, though there was more to read
    skips: Floats  # (2,) reads without a click: left, read on
    no_click: Floats  # (n_positions + 1,) scratch: S


def chain_state(
    chains: Chains, n_items: int, by_position: bool, by_group: int, shared: int, prior: float
) -> ChainState:
    """Allocate the arrays; `by_group` and `shared` count the model's own parameters."""
    n_positions = chains.tails.shape[1]
    n_groups = n_positions if by_position else n_items
    group = chains.position if by_position else chains.item
    head = Head(
        totals(chains.item, chains.impressions, n_items),
        totals(chains.item, chains.clicks, n_items),
        totals(group, chains.clicks - chains.last_clicks, n_groups),
        np.array([(chains.impressions - chains.clicks).sum()], np.float64),
    )
    sizes = (n_items, by_group, shared, n_groups, 1, n_items, n_groups, n_groups, 2)
    arrays = [np.zeros(size) for size in (*sizes, n_positions + 1)]
    # A single memory layout is compiled once.
    columns = (chains.tails, chains.clicked, chains.sessions)
    tails = Tails(*(np.ascontiguousarray(column, np.int64) for column in columns))
    return ChainState(head, tails, by_position, prior, *arrays)


@compiled
def expect(state: ChainState) -> float:
    """Fill in all expected numbers; return the log-likelihood plus the prior's log density.

    A shared parameter at 0 is fixed and has no prior (SDBN's abandon).
    """
    head = state.head
    total = log_share(head.skips[0], state.after_skip[0])
    for parameters in (state.attraction, state.by_group, state.shared):
        for chance in parameters:
            total += log_prior(chance, state.prior if chance > 0.0 else 0.0)
    for i in range(head.reads.size):
        state.reads[i] = head.reads[i]
        total += log_share(head.clicks[i], state.attraction[i])
        total += log_share(head.reads[i] - head.clicks[i], 1.0 - state.attraction[i])
    for group in range(head.on.size):
        state.on[group] = head.on[group]
        state.off[group] = 0.0
        total += log_share(head.on[group], state.after_click[group])
    state.skips[0], state.skips[1] = 0.0, head.skips[0]
    for tail in range(state.tails.sessions.size):
        total += expect_tail(state, tail)
    return total


@compiled
def expect_tail(state: ChainState, tail: int) -> float:
    """Add the sessions of one tail to the expected numbers; return their log-likelihood."""
    items, click = state.tails.items[tail], state.tails.clicked[tail]
    sessions = float(state.tails.sessions[tail])
    end = click + 1
    while end < items.size and items[end] >= 0:
        end += 1
    if end == click + 1:
        return 0.0  # nothing below the last click
    _no_click_from(state, items, click + 1, end)
    whole, readers = state.no_click[click + 1], sessions
    if click >= 0:
        group = click if state.by_position else items[click]
        on = state.after_click[group] * whole
        whole = 1.0 - state.after_click[group] + on
        readers = sessions * on / whole if whole > 0.0 else 0.0
        state.on[group] += readers
        state.off[group] += sessions - readers
    if whole <= 0.0:
        return -inf
    _read_down(state, items, click + 1, end, readers)
    return sessions * log(whole)


@compiled
def _no_click_from(state: ChainState, items: Integers, start: int, end: int) -> None:
    goes_on = state.after_skip[0]
    below = 1.0
    for position in range(end - 1, start - 1, -1):
        below = (1.0 - state.attraction[items[position]]) * below
        state.no_click[position] = below
        below = 1.0 - goes_on + goes_on * below


@compiled
def _read_down(state: ChainState, items: Integers, start: int, end: int, readers: float) -> None:
    """Follow `readers`, the expected sessions that read position `start`, down to the end."""
    goes_on = state.after_skip[0]
    for position in range(start, end):
        state.reads[items[position]] += readers
        if position + 1 < end:
            below = goes_on * state.no_click[position + 1]
            whole = 1.0 - goes_on + below
            readers_on = readers * below / whole if whole > 0.0 else 0.0
            state.skips[0] += readers - readers_on
            state.skips[1] += readers_on
            readers = readers_on


class ChainEstimator(Estimator):
    """Attraction per item, the model's own parameters per item or position, and shared ones."""

    by_position: ClassVar[bool] = False
    has_groups: ClassVar[bool] = True
    shared_start: ClassVar[tuple[float, ...]] = ()

    def __init__(self, statistics: QueryStatistics, way: str, prior: float, bounded: bool) -> None:
        super().__init__(statistics, way, prior, bounded)
        self.table: Chains = table_of(statistics, type(self))
        groups = statistics.n_positions if self.by_position else self.n_items
        self.state = chain_state(
            self.table,
            self.n_items,
            self.by_position,
            groups if self.has_groups else 0,
            len(self.shared_start),
            prior,
        )

    def start(self, rng: np.random.Generator | None, moving: bool) -> None:
        state, table = self.state, self.table
        if rng is not None:
            for chances in (state.attraction, state.by_group, state.shared):
                chances[:] = rng.uniform(0.05, 0.95, chances.size)
        else:
            state.attraction[:] = shares(state.head.clicks, self._read_in_closed_form(), self.prior)
            if self.has_groups:
                group = table.position if self.by_position else table.item
                last = totals(group, table.last_clicks, state.by_group.size)
                clicks = totals(group, table.clicks, state.by_group.size)
                state.by_group[:] = shares(last, clicks, self.prior)
            state.shared[:] = self.shared_start
            if moving:
                state.attraction[state.attraction >= 1.0] = OFF_BORDER
        self._pin()

    def _pin(self) -> None:
        """Set the fixed parameters, after a start."""

    def _read_in_closed_form(self) -> NDArray[np.float64]:
        """Count reads down to the last click, and to the end of pages without a click."""
        unclicked = np.broadcast_to(self.table.clicked[:, np.newaxis] < 0, self.table.tails.shape)
        return np.asarray(self.state.head.reads + self._shown_in_tails(unclicked))

    def impressions(self) -> NDArray[np.int64]:
        """Count every shown item once, above and below the last click."""
        below = np.arange(self.table.tails.shape[1]) > self.table.clicked[:, np.newaxis]
        return np.asarray(self.state.head.reads + self._shown_in_tails(below), np.int64)

    def _shown_in_tails(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        there = where & (self.table.tails >= 0)
        sessions = np.broadcast_to(self.table.sessions[:, np.newaxis], there.shape)
        return totals(self.table.tails[there], sessions[there], self.n_items)

    def _attraction_evidence(self) -> Evidence:
        items, shown = self.statistics.items, self.impressions().astype(np.float64)
        return Evidence("attraction", "impressions", items, self.state.attraction.copy(), shown)

    def _shared_evidence(self, name: str, index: int, count: float) -> Evidence:
        value = self.state.shared[index : index + 1].copy()
        return Evidence(name, "chances to go on", ("the query",), value, np.array([count]))

    def load(self, parameters: Any) -> None:
        self.state.attraction[:] = parameters.attraction
