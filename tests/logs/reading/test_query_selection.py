"""Presets, and arguments that replace their values."""

from typing import Any

import pytest

from tests.logs.reading.running import fetched, small
from unirank.errors import ArgumentError
from unirank.logs.reading.query_selection import (
    PRESETS,
    Selection,
    in_order,
    most_frequent,
    often_shown,
    selection,
)

WEIGHTS: dict[str, list[Any]] = {
    "query": ["b", "a", "c", "d"],
    "weight": [5, 5, 9, 1],
    "width": [1, 2, 3, 4],
}
CELLS: dict[str, list[Any]] = {
    "query": ["q"] * 5 + ["r"] * 4,
    "item": ["a", "a", "b", "b", "c", "a", "a", "b", "b"],
    "position": [0, 1, 0, 1, 0, 0, 1, 0, 2],
    "impressions": [10, 10, 10, 9, 10, 10, 10, 10, 10],
}


def test_presets_and_what_replaces_their_values() -> None:
    assert selection("kdd", min_items=2) == PRESETS["kdd"]._replace(min_items=2)
    assert selection(None) == Selection()
    assert selection("yandex", queries=[5, "x", 5]) == Selection(queries=("5", "x"), n_items=10)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_queries": 0}, "n_queries must be >= 1, got 0"),
        ({"n_positions": 2.5}, "n_positions must be an integer >= 1, got 2.5"),
        ({"min_displays": -1}, "min_displays must be >= 0, got -1"),
        ({"min_items": "2"}, "min_items must be an integer >= 0, got '2'"),
        ({"queries": "7"}, "queries must be a list of query ids, got '7'"),
        ({"queries": []}, r"queries must be a list of query ids, got \[\]"),
        ({"queries": ["7"], "n_queries": 2}, "pass either queries or n_queries, not both"),
    ],
)
def test_wrong_selections(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=rf"^{message}$"):
        selection(None, **given)


def test_the_most_frequent_queries_come_first() -> None:
    table = small(WEIGHTS)
    found = [row["query"] for row in fetched(most_frequent(table, Selection(n_queries=3)))]
    assert found == ["c", "a", "b"]
    assert len(fetched(most_frequent(table, Selection()))) == 4
    some = fetched(most_frequent(table, Selection(queries=("d", "a", "z"))))
    assert {row["query"] for row in some} == {"a", "d"}


def test_queries_as_they_were_asked_for() -> None:
    assert in_order(["a", "d"], Selection(queries=("d", "a"))) == ["d", "a"]
    assert in_order(["a", "d"], Selection()) == ["a", "d"]
    with pytest.raises(ArgumentError, match=r"^query 'z' is not in the log$"):
        in_order(["a"], Selection(queries=("a", "z")))
    message = r"^the log has no query with 5 items shown 1,000 times at each position$"
    with pytest.raises(ArgumentError, match=message):
        in_order([], PRESETS["kdd"])


@pytest.mark.parametrize(
    ("selected", "kept"),
    [
        (Selection(), {"qa", "qb", "qc", "ra", "rb"}),
        (Selection(min_displays=9), {"qa", "qb", "ra"}),
        (Selection(min_displays=10), {"qa", "ra"}),
        (Selection(min_displays=9, min_items=2), {"qa", "qb"}),
        (Selection(min_items=3), {"qa", "qb", "qc"}),
    ],
)
def test_items_shown_often_at_each_position(selected: Selection, kept: set[str]) -> None:
    rows = fetched(often_shown(small(CELLS), 2, selected))
    assert {row["query"] + row["item"] for row in rows} == kept
    assert all(row["position"] < 2 for row in rows)
