"""Curves over time: clicks per view of the arms, and the lift so far, both with their bands."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import dropwhile
from math import isnan, sqrt
from typing import Any

from msgspec import Struct

from unirank.page.split.counts import ArmCounts
from unirank.server.api import Point, Series
from unirank.server.history import Moment
from unirank.server.view import FROZEN, HOLDOUT, LEARNER, OBSERVED

MOST_POINTS, FEWEST_POINTS = 60, 8
VIEWS = 40  # that the smaller arm has in a step, if there are enough steps
STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400)
SPANS = {"hour": 3600.0, "day": 86400.0, "week": 7 * 86400.0}  # "all" is everything
FEWEST_STEPS = 4  # that the axis of times is long: one point stands in its middle
CURVES = ((LEARNER, (LEARNER, FROZEN)), (HOLDOUT, (HOLDOUT,)), (OBSERVED, (OBSERVED,)))
WIDTH = 1.96  # standard deviations to each side: 95 %


class Curve(Struct):
    """Values with the ends of their bands; None where there is nothing to tell."""

    name: str
    value: list[float | None]
    low: list[float | None]
    high: list[float | None]


class Chart(Struct):
    """Curves over one axis of times; `least` is how many seconds the axis has, at least."""

    at: list[float]
    curves: list[Curve]
    least: float


def step_for(span: float, views: int) -> float:
    """The smallest round step that makes few enough points for so many views of an arm."""
    most = min(max(views // VIEWS, FEWEST_POINTS), MOST_POINTS)
    fits = (float(step) for step in STEPS if span <= step * most)
    return next(fits, 86400.0 * (span // (86400.0 * most) + 1))


async def fitted(
    series: Callable[[float, float, float], Awaitable[Series]],
    start: float,
    end: float,
    views: int,
) -> Series:
    """Return the series in steps that suit the time in which there were views.

    A page that had all its visitors in one minute, a week ago, has points in that minute. `views`
    is a guess of how many the smallest curve has.
    """
    step = step_for(end - start, views)
    while True:
        found = await series(start, end + step, step)
        if not found.points:
            return found
        start, end = found.points[0].at, found.points[-1].at + step
        shown = [(arm, c.views) for point in found.points for arm, c in point.arms.items()]
        finer = step_for(end - start, fewest_views(shown))
        if finer >= step:
            return found
        step = finer


def fewest_views(counts: Iterable[tuple[str, int]]) -> int:
    """Return the number of views of the curve that has fewest; 0 if there is none."""
    views: dict[str, int] = {}
    for arm, n_views in counts:
        name = next(name for name, kinds in CURVES if arm in kinds)
        views[name] = views.get(name, 0) + n_views
    return min(views.values(), default=0)


def whole(points: Sequence[Point], step: float, begun: float, now: float) -> Sequence[Point]:
    """Points of whole steps, if there are any: the few views of a part would seem to be a turn.

    The last step may not be over, and the page may have begun within the first.
    """
    if len(points) > 1 and points[-1].at + step > now:
        points = points[:-1]
    return points[1:] if len(points) > 1 and points[0].at < begun else points


def rates_of(points: Iterable[Point], step: float, arms: Sequence[ArmCounts] | None) -> Chart:
    """Clicks per view in each step; the band is that of a 95 % interval for this step alone.

    A step has few sessions: the spread of a view is the one that its arm had over all views, in
    which the views of one session count as what they are.
    """
    points = list(points)
    curves = [
        _rates(name, [[point.arms[arm] for arm in kinds if arm in point.arms] for point in points],
               _variance(arms, name))
        for name, kinds in CURVES
    ]  # fmt: skip
    told = [curve for curve in curves if any(value is not None for value in curve.value)]
    at = [point.at + step / 2 for point in points]
    return Chart(at, told, FEWEST_STEPS * step)


def _variance(arms: Sequence[ArmCounts] | None, name: str) -> float | None:
    """Of the clicks of one view."""
    if arms is None or name == OBSERVED:
        return None
    arm = arms[1 if name == LEARNER else 0]
    return None if isnan(arm.variance) else arm.variance * arm.views


def _rates(name: str, steps: Sequence[Any], variance: float | None) -> Curve:
    curve = Curve(name, [], [], [])
    for found in steps:
        views = sum(one.views for one in found)
        clicks = sum(one.clicks for one in found)
        if not views:
            value = low = high = None
        else:
            value = clicks / views
            half = WIDTH * sqrt((variance or max(value, 1.0 / views)) / views)
            low, high = max(value - half, 0.0), value + half
        curve.value.append(value)
        curve.low.append(low)
        curve.high.append(high)
    return curve


def lift_over(moments: Sequence[Moment], start: float) -> Chart:
    """The lift at each moment since a time, with the band that holds at all of them together.

    Where a comparison began anew and had too few clicks to tell, the curve has a gap; it ends with
    the last moment that could tell.
    """
    late = (m for m in moments if m.at >= start)
    begun = list(dropwhile(_is_open, late))
    told = list(dropwhile(_is_open, reversed(begun)))[::-1]
    lifts = [m.lift if m.lift[1] is not None else (None, None, None) for m in told]
    values = ([lift[n] for lift in lifts] for n in range(3))
    return Chart([moment.at for moment in told], [Curve("lift", *values)], float(FEWEST_STEPS))


def _is_open(moment: Moment) -> bool:
    """Whether there were too few clicks for an interval."""
    return moment.lift[1] is None
