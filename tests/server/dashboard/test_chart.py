"""Curves: values and the width of their bands."""

import asyncio
from collections import Counter
from math import sqrt

import pytest

from unirank.page.split.assignment import Assigned
from unirank.page.split.counts import Counts
from unirank.server.api import ArmCounts as Counted
from unirank.server.api import Point, Series
from unirank.server.dashboard.chart import (
    fewest_views,
    fitted,
    lift_over,
    rates_of,
    step_for,
    whole,
)
from unirank.server.history import Moment


@pytest.mark.parametrize(
    ("span", "views", "step"),
    [(60.0, 10**6, 1.0), (3600.0, 10**6, 60.0), (86400.0, 0, 14400.0), (1e8, 10**6, 20 * 86400.0)],
)
def test_steps_are_round_and_few(span: float, views: int, step: float) -> None:
    assert step_for(span, views) == step


def fitted_to(times: list[float], end: float) -> Series:
    """The steps of views at these times, in a span from 0 to `end`."""

    async def series(start: float, until: float, step: float) -> Series:
        bins = Counter((at - start) // step for at in times if start <= at < until)
        points = [
            Point(start + n * step, {"learner": Counted(views, 0, 0.0)})
            for n, views in sorted(bins.items())
        ]
        return Series(step, points)

    return asyncio.run(fitted(series, 0.0, end, len(times)))


@pytest.mark.parametrize("end", [3600.0, 7 * 86400.0, 1e8])
def test_a_minute_with_all_the_visitors_has_several_points(end: float) -> None:
    found = fitted_to([1000.0 + n / 10 for n in range(600)], end)
    assert len(found.points) > 8
    assert found.step <= 10.0
    assert sum(point.arms["learner"].views for point in found.points) == 600


def test_visitors_all_the_time_have_steps_as_long_as_the_span_wants() -> None:
    assert fitted_to([float(n) for n in range(3600)], 3600.0).step == step_for(3600.0, 3600)


def test_a_single_view_is_a_single_point_and_no_view_none() -> None:
    assert len(fitted_to([1000.0], 1e6).points) == 1
    assert fitted_to([], 1e6).points == []


def test_lists_of_a_frozen_page_belong_to_the_curve_of_the_learner() -> None:
    assert fewest_views([("learner", 90), ("frozen", 5), ("holdout", 30), ("holdout", 7)]) == 37


def test_a_band_is_as_wide_as_the_spread_of_its_arm() -> None:
    counts = Counts(2)
    for place in range(1000):
        counts.answer(Assigned(1, place), float(place % 2))
    points = [Point(0.0, {"learner": Counted(60, 30, 0.5), "frozen": Counted(40, 20, 0.5)})]
    chart = rates_of(points, 10.0, [counts.of_arm(0), counts.of_arm(1)])
    (curve,) = chart.curves
    assert chart.at == [5.0]
    assert (curve.name, curve.value) == ("learner", [0.5])
    assert curve.high[0] == pytest.approx(0.5 + 1.96 * sqrt(0.25 / 100), rel=0.01)
    assert curve.low[0] == pytest.approx(0.5 - 1.96 * sqrt(0.25 / 100), rel=0.01)


def test_where_an_arm_has_no_view_its_curve_has_a_gap() -> None:
    points = [
        Point(0.0, {"learner": Counted(9, 3, 1 / 3)}),
        Point(1.0, {"holdout": Counted(5, 0, 0.0)}),
    ]
    learner, holdout = rates_of(points, 1.0, None).curves
    assert learner.value == [pytest.approx(1 / 3), None]
    assert holdout.value == [None, 0.0]
    assert holdout.high[1] is not None
    assert holdout.high[1] > 0.0  # no click in five views does not prove that there are none


def test_the_lift_has_the_moments_that_have_an_interval() -> None:
    moments = [
        Moment(10, 1.0, [], (0.1, None, None)),
        Moment(20, 2.0, [], (0.2, 0.1, 0.3)),
        Moment(30, 3.0, [], (0.3, 0.2, 0.4)),
    ]
    (curve,) = lift_over(moments, 0.0).curves
    assert (curve.value, curve.low, curve.high) == ([0.2, 0.3], [0.1, 0.2], [0.3, 0.4])
    assert lift_over(moments, 2.5).at == [3.0]


def test_a_comparison_that_began_anew_leaves_a_gap() -> None:
    moments = [
        Moment(20, 2.0, [], (0.2, 0.1, 0.3)),
        Moment(30, 3.0, [], (0.9, None, None)),
        Moment(40, 4.0, [], (0.3, 0.2, 0.4)),
    ]
    (curve,) = lift_over(moments, 0.0).curves
    assert (curve.value, curve.low) == ([0.2, None, 0.3], [0.1, None, 0.2])


def test_the_axis_of_the_lift_ends_with_its_curve() -> None:
    told, frozen = Moment(20, 2.0, [], (0.2, 0.1, 0.3)), Moment(20, 9e9, [], (None, None, None))
    assert lift_over([told, frozen], 0.0).at == [2.0]


def test_a_step_that_is_not_whole_is_no_point() -> None:
    points = [Point(0.0, {}), Point(10.0, {}), Point(20.0, {})]
    assert whole(points, 10.0, 0.0, 29.0) == points[:2]
    assert whole(points, 10.0, 0.0, 30.0) == points
    assert whole(points, 10.0, 3.0, 30.0) == points[1:]
    assert whole(points[2:], 10.0, 23.0, 29.0) == points[2:]
