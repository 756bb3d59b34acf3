"""The lift: clicks per view of the learner minus the holdout's, with an interval for every moment.

The interval is a confidence sequence: with 95 % it holds the truth at all moments together, so that
it may be watched all day (`unirank.live.split.interval`).
"""

from math import isnan

from unirank.live.split.counts import Counts
from unirank.live.split.report import difference_of
from unirank.server.api import Lift

EXPECTED_VIEWS = 20_000  # for which the interval is tightest


def lift_of(counts: Counts | None, n_positions: int) -> Lift:
    """The lift in counts of holdout and learner, in this order; nothing before the first view."""
    if counts is None:
        return Lift(None, None, None)
    holdout, learner = counts.of_arm(0), counts.of_arm(1)
    found = difference_of(learner, holdout, n_positions, EXPECTED_VIEWS)
    return Lift(*(None if isnan(value) else value for value in found))
