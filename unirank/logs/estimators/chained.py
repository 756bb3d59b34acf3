"""What the estimators of DCM, SDBN, DBN and CCM share: the textbook's closed form as their start.

    attraction_i = clicks on i / impressions of i at or above the last click
    stop         = last clicks / clicks

with every page without a click read to its end. The closed form is not consistent: it takes every
last click for a stop, though the user may have read on and clicked nothing more. With more sessions
it settles on values that are not the truth. It is step 0 here, and EM over the tails goes on from
it to the maximum of the likelihood.

EM cannot leave an attraction of 1 that is wrong (nobody is then expected to have read past the last
click): where steps follow, a start at 1 is moved to `OFF_BORDER`. A stop of 1 is never wrong, since
nobody was seen to read on.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators.base import Estimator, Evidence, table_of
from unirank.logs.estimators.bernoulli import shares, totals
from unirank.logs.estimators.chain import chain_state
from unirank.logs.statistics import Chains, QueryStatistics

OFF_BORDER = 0.9


class ChainEstimator(Estimator):
    """Attraction by item, the model's own parameters by item or position, and shared ones."""

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
        """Set what is not free, after a start."""

    def _read_in_closed_form(self) -> NDArray[np.float64]:
        """Down to the last click, and to the end of pages without one."""
        unclicked = np.broadcast_to(self.table.clicked[:, np.newaxis] < 0, self.table.tails.shape)
        return np.asarray(self.state.head.reads + self._shown_in_tails(unclicked))

    def impressions(self) -> NDArray[np.int64]:
        """Shown at or above the last click, and below it, each once."""
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
