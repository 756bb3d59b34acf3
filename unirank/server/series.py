"""Views and clicks over time, in whole steps."""

from math import ceil, floor
from time import time

from unirank.errors import ArgumentError
from unirank.server.api import MOST_POINTS, Point, Series
from unirank.server.page_rules import check_period
from unirank.server.store.store import Store
from unirank.server.summaries import counted


def check_steps(start: float, end: float, step: float) -> tuple[float, float]:
    """Return the times rounded outwards to whole steps; refuse more points than an answer holds."""
    check_period(start, end)
    start, end = floor(start / step) * step, ceil(end / step) * step
    if (end - start) / step > MOST_POINTS:
        raise ArgumentError(f"step must give at most {MOST_POINTS} points, got {step:g}")
    return start, end


def series_of(store: Store, page: int, start: float, end: float, step: float) -> Series:
    """Return the counts of a page's arms, by when the windows of the views were over.

    `start` and `end` are multiples of `step`.
    """
    until = min(end, time())  # a final report comes before the window of its view is over
    points: dict[int, Point] = {}
    for number, arm, views, clicks in store.series(page, start, until, step):
        point = points.setdefault(number, Point(start + number * step, {}))
        point.arms[arm] = counted(views, clicks)
    return Series(step, list(points.values()))
