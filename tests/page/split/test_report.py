"""The report: a table, a line per difference, and one that says when the split is broken."""

from dataclasses import replace
from math import isnan

import pytest

from unirank.page.split.counts import ArmCounts
from unirank.page.split.report import difference_of, rate_of, reported

FEW = ArmCounts(given=12, views=10, clicks=3, variance=0.02, n_clicked=3, sessions=10)
TODAY = ArmCounts(given=1100, views=1000, clicks=300, variance=0.0004, n_clicked=200, sessions=900)
NEW = ArmCounts(given=9900, views=9000, clicks=4500, variance=0.0001, n_clicked=900, sessions=8100)
NAMES, SHARES = ("today", "new"), [0.1, 0.9]


def test_a_difference_has_an_interval() -> None:
    (found,) = reported(NAMES, SHARES, [TODAY, NEW], 8, 5000).differences
    assert found.estimate == pytest.approx(0.2)
    assert found.low == pytest.approx(0.2 - (found.high - 0.2))
    assert 3.0 < (found.high - 0.2) / 0.0005**0.5 < 3.1
    assert found.sentence.endswith(": more")
    (against,) = reported(("new", "today"), [0.9, 0.1], [NEW, TODAY], 8, 5000).differences
    assert against.sentence.startswith("today - new: -0.2000 clicks per view, between -0.2")
    assert against.sentence.endswith(": fewer")
    better = replace(TODAY, clicks=310)
    (equal,) = reported(NAMES, SHARES, [TODAY, better], 8, 5000).differences
    assert equal.sentence.endswith(": not decided yet")


def test_too_few_clicks_have_no_interval() -> None:
    found = reported(NAMES, SHARES, [FEW, NEW], 8, 5000)
    assert isnan(found.differences[0].low)
    assert found.differences[0].sentence == "new - today: too few clicks yet to tell"
    assert isnan(found.arms[0].low)
    assert not isnan(found.arms[1].low)


def test_several_differences_share_the_error() -> None:
    two = reported(NAMES, SHARES, [TODAY, NEW], 8, 5000)
    names = ("today", "new", "newer")
    three = reported(names, [0.1, 0.45, 0.45], [TODAY, NEW, NEW], 8, 5000)
    assert three.differences[0].high > two.differences[0].high


def test_intervals_stay_where_clicks_per_view_can_be() -> None:
    wide = ArmCounts(given=60, views=60, clicks=55, variance=4.0, n_clicked=50, sessions=60)
    assert rate_of(wide, 1, 5000)[1:] == (0.0, 1.0)
    assert difference_of(wide, wide, 1, 5000)[1:] == (-1.0, 1.0)


def test_a_broken_split_is_said_first() -> None:
    sound = reported(NAMES, SHARES, [TODAY, NEW], 8, 5000)
    assert sound.broken == ""
    lost = ArmCounts(
        given=9900, views=6000, clicks=3000, variance=1e-4, n_clicked=900, sessions=5400
    )
    found = reported(NAMES, SHARES, [TODAY, lost], 8, 5000)
    assert found.broken.startswith("the split is broken (p = ")
    assert "today 14.3% instead of 10.0%, new 85.7% instead of 90.0% of 6,300 sessions" in str(
        found
    )


def test_the_table_can_be_read() -> None:
    lines = str(reported(NAMES, SHARES, [TODAY, NEW], 8, 5000)).splitlines()
    assert lines[0] == "| arm | share | sessions | lists | views | clicks | clicks per view |"
    assert lines[2].startswith("| today | 10.0% | 900 | 1,100 | 1,000 | 300 | 0.3000 (0.2")
    assert lines[-1].startswith("- new - today: +0.2000 clicks per view, between +0.1")
