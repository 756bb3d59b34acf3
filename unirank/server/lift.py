"""The lift: clicks per view of the learner minus the holdout's, with an interval for every moment.

The interval is a confidence sequence: with 95 % it holds the truth at all moments together, so that
it may be watched all day (`unirank.page.split.interval`).
"""

from collections.abc import Sequence
from math import isnan

from unirank.page.split.counts import ArmCounts
from unirank.page.split.report import difference_of
from unirank.server.api import Lift

EXPECTED_VIEWS = 20_000  # for which the interval is tightest


def lift_of(arms: Sequence[ArmCounts] | None, n_positions: int) -> Lift:
    """The lift in counts of holdout and learner, in this order; nothing before the first view."""
    if arms is None:
        return Lift(None, None, None)
    holdout, learner = arms
    found = difference_of(learner, holdout, n_positions, EXPECTED_VIEWS)
    value, low, high = (None if isnan(each) else each for each in found)
    return Lift(value, low, high)
