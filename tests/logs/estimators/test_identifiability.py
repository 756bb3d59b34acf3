"""Items that never shared a position cannot be compared."""

import numpy as np
import pytest

from unirank.logs.estimators import fit
from unirank.logs.estimators.identifiability import (
    comparable_groups,
    stood_at_one_place,
    unidentified,
)
from unirank.logs.statistics import QueryStatistics, Shown

GRAPHS = [
    ([(0, 0), (1, 1), (2, 2)], [0, 1, 2]),  # always at the same position
    ([(0, 0), (0, 1), (1, 1), (2, 2)], [0, 0, 2]),
    ([(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)], [0, 0, 0, 0]),  # a chain
    ([(2, 0), (0, 0), (3, 1), (1, 1)], [0, 1, 0, 1]),
]


@pytest.mark.parametrize(("edges", "groups"), GRAPHS)
def test_groups_are_the_connected_parts(edges: list[tuple[int, int]], groups: list[int]) -> None:
    item, cell = np.array(edges).T
    assert comparable_groups(item, cell, np.ones_like(item), len(groups)).tolist() == groups


def test_items_and_positions_without_clicks_connect_nothing() -> None:
    item, cell = np.array([0, 1, 2, 2, 0, 1]), np.array([0, 1, 0, 1, 2, 2])
    clicks = np.array([5, 5, 0, 0, 0, 0])  # item 2 and position 2 would connect items 0 and 1
    assert comparable_groups(item, cell, clicks, 3).tolist() == [0, 1, -1]


def test_the_sentence_names_the_groups() -> None:
    assert unidentified(np.zeros(3, np.int64), ("a", "b", "c")) == ""
    assert unidentified(np.array([0, -1, 0]), ("a", "b", "c")) == ""
    text = unidentified(np.array([0, 0, 0, 0, 4, 5, 6]), tuple("abcdefg"))
    assert text.endswith(
        "4 groups of items that never shared a position, a, b, c, ... | e | f and 1 more"
    )


def shown(positions: list[list[int]]) -> QueryStatistics:
    """Statistics of items that were shown 1000 times at each of their positions."""
    item = np.repeat(np.arange(len(positions)), [len(where) for where in positions])
    position = np.concatenate(positions)
    table = Shown(item, position, np.full(len(item), 1000), 400 - 100 * item)
    return QueryStatistics("q", ("a", "b", "c"), 3, 0, shown=table)


def test_a_fit_says_what_its_log_cannot_tell_apart() -> None:
    fixed = fit(shown([[0], [1], [2]]), "pbm")
    assert fixed.warnings[0] == fixed.unidentified
    assert "3 groups of items that never shared a position, a | b | c" in fixed.unidentified
    assert fit(shown([[0, 1], [1, 2], [2]]), "pbm").unidentified == ""


@pytest.mark.parametrize(
    ("item", "position", "expected"),
    [
        ([0, 1, 2], [0, 1, 1], True),
        ([0, 1, 1], [0, 0, 1], False),
        ([0, 1], [0, 0], False),  # at one place only, they are compared there
        ([], [], False),
    ],
)
def test_items_that_stood_at_one_place(
    item: list[int], position: list[int], expected: bool
) -> None:
    arrays = np.array(item, np.int64), np.array(position, np.int64)
    assert stood_at_one_place(*arrays) is expected
