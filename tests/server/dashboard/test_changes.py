"""How the order changed: a strip without holes, and words."""

from itertools import pairwise

import pytest

from unirank.server.dashboard.changes import GREY, MOST_CHANGES, changes_of, strip_of
from unirank.server.history import Moment
from unirank.server.view import ItemId

NOTHING = (None, None, None)


def moment(views: int, *groups: list[ItemId]) -> Moment:
    return Moment(views, float(views), list(groups), NOTHING)


PAST = [
    moment(0, ["a", "b", "c"]),
    moment(10, ["b"], ["a"]),
    moment(100, ["b"], ["c"]),
    moment(1000, ["c"], ["b"]),
]


def test_the_strip_has_an_item_at_each_place_all_the_time() -> None:
    strip = strip_of(PAST, 2, 1000)
    assert strip is not None
    for place in range(2):
        row = [cell for cell in strip.cells if cell.place == place]
        assert row[0].start == 0.0
        assert row[-1].end == 100.0
        assert all(left.end == right.start for left, right in pairwise(row))


def test_places_are_logarithmic_and_colours_those_of_the_order_now() -> None:
    strip = strip_of(PAST, 2, 1000)
    assert strip is not None
    first, second = ([c for c in strip.cells if c.place == place] for place in range(2))
    assert [(cell.item, cell.end) for cell in first] == [("b", 100.0)]
    assert [(cell.item, cell.end) for cell in second] == [("a", 50.0), ("c", 100.0)]
    assert second[0].colour == GREY  # not on the page any more
    assert strip.ticks == ((0.0, "10"), (50.0, "100"), (100.0, "1,000"))


def test_ties_have_no_border() -> None:
    past = [moment(0, ["a", "b"]), moment(10, ["a", "b"]), moment(100, ["a"], ["b"])]
    strip = strip_of(past, 2, 1000)
    assert strip is not None
    assert strip.tied
    assert strip.borders == ((1, 50.0, 100.0),)


@pytest.mark.parametrize(("past", "views"), [([], 50), (PAST, 9), ([moment(0), moment(20)], 50)])
def test_without_a_past_there_is_no_strip(past: list[Moment], views: int) -> None:
    assert strip_of(past, 2, views) is None


def test_changes_are_told_from_the_newest() -> None:
    found = changes_of(PAST, 2)
    assert [change.views for change in found] == [1000, 100, 10]
    assert found[0].moves == ("c rises from 2 to 1",)
    assert found[1].moves == ("c enters at 2", "a leaves")


def test_only_the_last_changes_are_told() -> None:
    past = [moment(n, ["a"] if n % 2 else ["b"]) for n in range(30)]
    found = changes_of(past, 1)
    assert [change.views for change in found] == list(range(29, 29 - MOST_CHANGES, -1))
