"""The strip shows the leaders that were noted, each where it stood."""

from typing import Any

import numpy as np
import pytest

from tests.plots.looks import illegible, marked, words
from tests.plots.situations import played, users
from unirank import GRAB, ArgumentError, UniRank, plots
from unirank.plots.leader_strip import BELOW, colours_of, edges_of, runs
from unirank.policies.base.leader import Leader
from unirank.simulation import LeaderHistory, follow_leader

ITEMS = ("a", "b", "c", "d")
FIRST = Leader((("a", "b", "c", "d"),), ())
SECOND = Leader((("b",), ("a", "c")), ("d",))
THIRD = Leader((("b",), ("a",)), ("c", "d"))


def history(*leaders: Leader) -> LeaderHistory:
    rounds = 10 ** np.arange(len(leaders))
    return LeaderHistory("unirank", ITEMS, 2, rounds, leaders)


def strip(figure: Any) -> Any:
    return figure.axes[1]


def bands(axes: Any, item: str) -> list[tuple[float, float, float]]:
    """Where an item is drawn: from, to, at which place."""
    return [(p.get_x(), p.get_x() + p.get_width(), p.get_y()) for p in marked(axes, item)]


def test_items_stand_at_their_places() -> None:
    axes = strip(plots.leader_history(history(FIRST, SECOND, THIRD)))
    first, second = np.sqrt(10.0), np.sqrt(1000.0)
    assert np.allclose(bands(axes, "b"), [(1, first, 0), (first, 100, 0)])
    for place, item in enumerate("acd", start=1):
        spans = [(1, first, place), (first, second, place), (second, 100, place)]
        assert np.allclose(bands(axes, item), spans)


def test_ties_on_the_page_are_one_block() -> None:
    axes = strip(plots.leader_history(history(FIRST, SECOND, THIRD)))
    tied = [(p.get_y(), p.get_height()) for p in marked(axes, "tied")]
    assert tied == [(0, 4), (1, 2)]
    assert {(p.get_y(), p.get_height()) for p in marked(axes, "alone")} == {
        (0, 1), (1, 1), (3, 1), (2, 2),
    }  # fmt: skip
    assert [p.get_alpha() for p in marked(axes, "d")] == [1.0, 0.4, 0.4]


def test_a_block_that_stays_is_drawn_once() -> None:
    found = runs(history(FIRST, THIRD, THIRD, FIRST, THIRD))
    assert [(span, block[1]) for span, block in found if block[0] == 0] == [
        ((0, 0), ("b", "a", "c", "d")),
        ((1, 2), ("b",)),
        ((3, 3), ("b", "a", "c", "d")),
        ((4, 4), ("b",)),
    ]
    n_cells = sum((last - first + 1) * len(block[1]) for (first, last), block in found)
    assert n_cells == 5 * 4


def test_colours_follow_the_order_at_the_end() -> None:
    colours = colours_of(SECOND)
    assert len(set(colours.values())) == 4
    assert colours["d"] == BELOW[0]
    assert colours_of(THIRD)["c"] != colours_of(THIRD)["d"]
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    axes = strip(plots.leader_history(history(FIRST, SECOND)))
    for item in ITEMS:
        assert {to_hex(p.get_facecolor()) for p in marked(axes, item)} == {colours[item].lower()}


def test_axes_and_names() -> None:
    figure = plots.leader_history(history(FIRST, SECOND, THIRD))
    axes = strip(figure)
    assert axes.get_xscale() == "log"
    assert axes.get_xlim() == (1, 100)
    assert axes.get_ylim() == (4, 0)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2"]
    assert [line.get_ydata()[0] for line in axes.lines] == [2]
    at_the_end = [t for t in axes.texts if hasattr(t, "xyann")]
    assert [(t.get_text(), t.xy[1]) for t in at_the_end] == [
        ("b", 0.5), ("a", 1.5), ("c", 2.5), ("d", 3.5),
    ]  # fmt: skip
    assert words(figure)[0] == "Leader over time: unirank, one game"


def test_cells_end_between_checkpoints() -> None:
    assert edges_of(np.array([1, 4, 16])).tolist() == [1, 2, 8, 16]
    assert edges_of(np.array([10])).tolist() == [9, 11]


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 2), (7, 4), (12, 12), (50, 10), (90, 5)])
def test_games_can_be_read(n_items: int, n_positions: int) -> None:
    _, noted = played(n_items, n_positions, 300)
    figure = plots.leader_history(noted)
    assert figure.get_figheight() < 6
    assert illegible(figure) == []


def test_a_single_checkpoint_and_lists_can_be_drawn() -> None:
    one = follow_leader(UniRank(5, 2), users(5, 2), 30, checkpoints=[30])
    figure = plots.leader_history(one)
    assert [label.get_text() for label in strip(figure).get_xticklabels()] == ["30"]
    grab = plots.leader_history(follow_leader(GRAB(5, 2), users(5, 2), 50))
    assert marked(strip(grab), "tied") == []
    assert illegible(figure) == illegible(grab) == []


def test_anything_else_is_refused() -> None:
    rule = r"^history must be what simulation.follow_leader returns, got UniRank\("
    with pytest.raises(ArgumentError, match=rule):
        plots.leader_history(UniRank(3, 2))  # type: ignore[arg-type]
