"""Cascade model: attraction is first clicks over impressions at or above the first click.

Under this model nobody clicks twice, so a session with two clicks has probability zero. The
likelihood here is therefore that of each session down to its first click (`FirstClick`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.logs.estimators.base import Estimator, Evidence, registry, table_of
from unirank.logs.estimators.bernoulli import log_prior, log_share, shares, totals
from unirank.logs.statistics import QueryStatistics


@registry.register("cm", click_model="cm", table="first_click", ways="closed form")
class CMEstimator(Estimator):
    """Attraction from first clicks."""

    def __init__(self, statistics: QueryStatistics, way: str, prior: float, bounded: bool) -> None:
        super().__init__(statistics, way, prior, bounded)
        table = table_of(statistics, type(self))
        self.reads = totals(table.item, table.impressions, self.n_items)
        self.clicks = totals(table.item, table.clicks, self.n_items)
        self.attraction = np.zeros(self.n_items)

    def start(self, rng: np.random.Generator | None, moving: bool) -> None:
        self.attraction = shares(self.clicks, self.reads, self.prior)

    def load(self, parameters: Any) -> None:
        self.attraction = parameters.attraction

    def climb(self, values: NDArray[np.float64], tolerance: float) -> int:
        """Compute the log-likelihood: the formula is already the maximum."""
        rows = zip(self.attraction.tolist(), self.clicks, self.reads, strict=True)
        values[0] = sum(
            log_share(float(clicks), a)
            + log_share(float(reads - clicks), 1.0 - a)
            + log_prior(a, self.prior)
            for a, clicks, reads in rows
        )
        return 0

    def parameters(self) -> dict[str, Any]:
        return {"attraction": self.attraction.copy()}

    def evidence(self) -> list[Evidence]:
        items = self.statistics.items
        return [Evidence("attraction", "impressions", items, self.attraction, self.reads)]

    def impressions(self) -> NDArray[np.int64]:
        return self.reads.astype(np.int64)
