"""Views and clicks of each arm, kept so that a visitor with many views is not many visitors.

Views of one session resemble each other. Sessions are therefore counted in 1,024 *buckets*, by
their place: a session is wholly in one bucket, and buckets are independent. The variance of clicks
per view is estimated from the buckets (the cluster-robust estimate of a ratio), which needs no
memory of sessions:

    rate = C / V        variance = sum_b ((c_b - rate v_b) / (1 - v_b / V))^2 / V^2

The denominator in the sum corrects for large buckets (MacKinnon and White's HC3, 1985).

`first` holds, for each of 65,536 places, the arm of the first session that was answered there.
If answers come in an order that does not depend on the clicks, whether a session is the first of
its place does not depend on its arm: these sessions fall into arms exactly by the shares, however
many views each has. So answer all lists after the same time, clicked or not; `unirank serve` does.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unirank.page.split.assignment import N_PLACES, Assigned

N_BUCKETS = 1024


@dataclass(frozen=True)
class ArmCounts:
    """An arm at one moment."""

    given: int  # lists given
    views: int  # lists answered
    clicks: float
    variance: float  # of clicks per view; NaN without a view
    n_clicked: int  # buckets with a click
    sessions: int  # first ones of their place

    @property
    def rate(self) -> float:
        return self.clicks / self.views if self.views else float("nan")


class Counts:
    """The counts of all arms."""

    def __init__(self, n_arms: int, first: NDArray[np.uint8] | None = None) -> None:
        """Begin with nothing; counts that share `first` take a session for the first one once."""
        self.given = np.zeros(n_arms, np.int64)
        self.views = np.zeros((n_arms, N_BUCKETS), np.int64)
        self.clicks = np.zeros((n_arms, N_BUCKETS))
        # 0: none yet, else 1 + arm
        self.first = np.zeros(N_PLACES, np.uint8) if first is None else first
        self.n_views = 0  # of all arms

    def give(self, arm: int) -> None:
        self.given[arm] += 1

    def answer(self, assigned: Assigned, clicks: float) -> None:
        arm, place = assigned
        self.views[arm, place % N_BUCKETS] += 1
        self.clicks[arm, place % N_BUCKETS] += clicks
        self.n_views += 1
        if not self.first[place]:
            self.first[place] = 1 + arm

    def of_arm(self, arm: int) -> ArmCounts:
        views, clicks = self.views[arm], self.clicks[arm]
        return ArmCounts(
            given=int(self.given[arm]),
            views=int(views.sum()),
            clicks=float(clicks.sum()),
            variance=_variance(views, clicks),
            n_clicked=int(np.count_nonzero(clicks)),
            sessions=int(np.count_nonzero(self.first == 1 + arm)),
        )


def _variance(views: NDArray[np.int64], clicks: NDArray[np.float64]) -> float:
    n_views = int(views.sum())
    if not n_views:
        return float("nan")
    weight = np.minimum(views / n_views, 0.5)  # a single bucket would divide by 0
    residuals = (clicks - clicks.sum() / n_views * views) / (1.0 - weight)
    return float(residuals @ residuals) / n_views**2
