"""PBM and UBM: attraction times examination, by position or also by the last click above it.

Scale: without a prior, examination is divided by its maximum and attraction multiplied by it, so
that the largest examination is 1. `ascent` finds the maximum with both factors at most 1 or, if not
`bounded`, with only the products of items and cells seen together at most 1. In the unbounded case,
an item clicked every time it was shown in a cell gives a constraint on two parameters, a + e <= 0
in logarithms, and steps along one parameter can get stuck at such a corner. So these rows first get
a few artificial skips, fewer and fewer (`BARRIERS`). `em` starts from 0.5 everywhere.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators import ascent, products
from unirank.logs.estimators.base import ClimbKernels, Estimator, Evidence, registry, table_of
from unirank.logs.estimators.bernoulli import UNSEEN
from unirank.logs.estimators.identifiability import comparable_groups
from unirank.logs.estimators.products import Products, factor
from unirank.logs.statistics import LastClick, QueryStatistics, Shown

START = 0.5  # of every parameter, in EM
BARRIERS = (1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5)


class ExaminedEstimator(Estimator):
    """Attraction by item times examination by cell."""

    steps: ClassVar[dict[str, ClimbKernels]] = {
        "ascent": ClimbKernels("ascent", products.value, ascent.improve),
        "em": ClimbKernels("em", products.value, products.improve),
    }

    def __init__(self, statistics: QueryStatistics, way: str, prior: float, bounded: bool) -> None:
        super().__init__(statistics, way, prior, bounded)
        table = table_of(statistics, type(self))
        self.cells, of_row = np.unique(self._cells(table), return_inverse=True)
        self.state = Products(
            factor(table.item, table.impressions, self.n_items),
            factor(of_row, table.impressions, self.cells.size),
            table.clicks.astype(np.float64),
            (table.impressions - table.clicks).astype(np.float64),
            prior,
            1.0 if bounded else np.inf,
        )

    def _cells(self, table: Any) -> NDArray[np.int64]:
        """The cell of each row, as a number."""
        raise NotImplementedError

    def start(self, rng: np.random.Generator | None, moving: bool) -> None:
        for side in (self.state.attraction, self.state.examination):
            if rng is not None:
                side.chance[:] = rng.uniform(0.05, 0.95, side.chance.size)
            elif self.way == "ascent":
                clicks = np.bincount(side.of_row, self.state.clicks, side.chance.size)
                side.chance[:] = (clicks + self.prior) / np.maximum(side.impressions, 1.0)
            else:
                side.chance[:] = START

    def climb(self, values: NDArray[np.float64], tolerance: float) -> int:
        """Without the bound, climb first with it, then with lower and lower barriers."""
        if not self.bounded and values.size > 1:
            unbounded, scratch = self.state, np.empty(values.size)
            self.state = unbounded._replace(most=1.0)  # the same arrays
            super().climb(scratch, tolerance)
            for barrier in BARRIERS:
                skips = np.where(unbounded.skips > 0, unbounded.skips, barrier)
                self.state = unbounded._replace(skips=skips)
                super().climb(scratch, tolerance)
            self.state = unbounded
        return super().climb(values, tolerance)

    def scaled(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return attraction, and examination of the cells that were seen."""
        attraction, examination = (side.chance.copy() for side in self.state[:2])
        largest = examination.max(initial=0.0)
        if self.prior > 0.0 or largest == 0.0:  # a prior determines the scale
            return attraction, examination
        seen = self.state.attraction.impressions > 0
        return np.where(seen, attraction * largest, attraction), examination / largest

    def groups(self) -> NDArray[np.int64]:
        attraction, examination = self.state.attraction, self.state.examination
        clicks = self.state.clicks.astype(np.int64)
        return comparable_groups(attraction.of_row, examination.of_row, clicks, self.n_items)

    def impressions(self) -> NDArray[np.int64]:
        return self.state.attraction.impressions.astype(np.int64)

    def _evidence(self, name: str, labels: list[str], places: NDArray[np.int64]) -> list[Evidence]:
        """Return the evidence of attraction, and of examination at `places`."""
        attraction, examination = self.scaled()
        counts = dict(zip(self.cells.tolist(), self.state.examination.impressions, strict=True))
        values = dict(zip(self.cells.tolist(), examination, strict=True))
        looks = np.array([values.get(place, UNSEEN) for place in places.tolist()])
        shown = np.array([counts.get(place, 0.0) for place in places.tolist()])
        impressions = self.state.attraction.impressions
        return [
            Evidence("attraction", "impressions", self.statistics.items, attraction, impressions),
            Evidence(name, "impressions", labels, looks, shown, scale=int(np.argmax(looks))),
        ]


@registry.register("pbm", click_model="pbm", table="shown", ways="ascent, em")
class PBMEstimator(ExaminedEstimator):
    """Examination by position."""

    def _cells(self, table: Shown) -> NDArray[np.int64]:
        return table.position

    def load(self, parameters: Any) -> None:
        self.state.attraction.chance[:] = parameters.attraction
        self.state.examination.chance[:] = parameters.examination[self.cells]

    def parameters(self) -> dict[str, Any]:
        attraction, seen = self.scaled()
        examination = np.full(self.statistics.n_positions, UNSEEN)
        examination[self.cells] = seen
        return {"attraction": attraction, "examination": examination}

    def evidence(self) -> list[Evidence]:
        positions = np.arange(self.statistics.n_positions)
        labels = [f"position {self.statistics.logged(k)}" for k in positions.tolist()]
        return self._evidence("examination", labels, positions)


@registry.register("ubm", click_model="ubm", table="last_click", ways="ascent, em")
class UBMEstimator(ExaminedEstimator):
    """Examination by position and last click."""

    def _cells(self, table: LastClick) -> NDArray[np.int64]:
        return table.position * self.statistics.n_positions + table.last

    def load(self, parameters: Any) -> None:
        width = self.statistics.n_positions
        position, last = np.divmod(self.cells, width)
        column = np.where(last == width - 1, parameters.examination.shape[1] - 1, last)
        self.state.attraction.chance[:] = parameters.attraction
        self.state.examination.chance[:] = parameters.examination[position, column]

    def parameters(self) -> dict[str, Any]:
        attraction, seen = self.scaled()
        width = self.statistics.n_positions
        examination = np.full(width * width, UNSEEN)
        examination[self.cells] = seen
        table = examination.reshape(width, width)
        return {"attraction": attraction, "examination_by_rank_and_last_click": table}

    def evidence(self) -> list[Evidence]:
        width = self.statistics.n_positions
        pairs = [(k, r) for k in range(width) for r in (*range(k), width - 1)]
        logged = self.statistics.logged
        labels = [
            f"position {logged(k)} with no click above"
            if r == width - 1
            else f"position {logged(k)} after a click at {logged(r)}"
            for k, r in pairs
        ]
        places = np.array([k * width + r for k, r in pairs], np.int64)
        return self._evidence("examination_by_rank_and_last_click", labels, places)
