"""Curves: values and the width of their bands."""

from math import sqrt

import pytest

from unirank.live.split.assignment import Assigned
from unirank.live.split.counts import Counts
from unirank.server.api import ArmCounts as Counted
from unirank.server.api import Point
from unirank.server.dashboard.chart import lift_over, rates_of, step_for
from unirank.server.history import Moment


@pytest.mark.parametrize(
    ("span", "views", "step"),
    [(60.0, 10**6, 1.0), (3600.0, 10**6, 60.0), (86400.0, 0, 14400.0), (1e8, 10**6, 20 * 86400.0)],
)
def test_steps_are_round_and_few(span: float, views: int, step: float) -> None:
    assert step_for(span, views) == step


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
