"""A graph of arms keeps its rules, and an error names who breaks one."""

from typing import Any

import pytest

from unirank import ArgumentError
from unirank.lab.ancestors.graph import checked_graph, graph_of_edges, line_graph


def test_a_line_joins_each_arm_to_the_next() -> None:
    assert line_graph(4) == ((1,), (0, 2), (1, 3), (2,))
    assert line_graph(1) == ((),)


def test_edges_may_come_in_any_order_and_twice() -> None:
    assert graph_of_edges(3, [(2, 0), (0, 1), (1, 0)]) == ((1, 2), (0,), (0,))


def test_neighbours_are_put_in_order() -> None:
    assert checked_graph([[2, 1], {0}, (0,)]) == ((1, 2), (0,), (0,))


@pytest.mark.parametrize(
    ("neighbours", "sentence"),
    [
        ([], "neighbours must be a list of neighbours per arm, got []"),
        (3, "neighbours must be a list of neighbours per arm, got 3"),
        ([1, [0]], "neighbours[0] must be a list of arms, got 1"),
        ([[1], [0, 2]], "neighbours[1] must be in 0..n_arms-1=1, got 2"),
        ([[0, 1], [0]], "neighbours[0] must not hold the arm itself, got [0, 1]"),
        ([[1, 1], [0]], "neighbours[0] must not repeat an arm, got [1, 1]"),
        (
            [[1], [0, 2], []],
            "neighbours must be symmetric, got 2 next to 1 but not 1 next to 2",
        ),
        (
            [[1], [0], [3], [2]],
            "neighbours must be connected, got no path from arm 0 to arm 2",
        ),
    ],
)
def test_a_wrong_graph_is_refused_with_the_arms_that_break_it(
    neighbours: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked_graph(neighbours)
    assert str(caught.value) == sentence


def test_edges_are_pairs_of_arms() -> None:
    with pytest.raises(ArgumentError, match=r"edges must be pairs of arms, got \(0, 1, 2\)"):
        graph_of_edges(3, [(0, 1, 2)])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"edges must be in 0..n_arms-1=2, got 3"):
        graph_of_edges(3, [(0, 3)])
    with pytest.raises(ArgumentError, match=r"must not hold the arm itself"):
        graph_of_edges(2, [(0, 1), (1, 1)])
