"""The strip shows the leaders that were noted, each where it stood."""

import numpy as np
import pytest

from tests.lab.plots.looks import illegible
from tests.lab.plots.situations import played, users
from unirank import ArgumentError, UniRank
from unirank.lab import plots
from unirank.lab.plots.leader_strip import edges_of, places_of
from unirank.lab.simulation import LeaderHistory, follow_leader
from unirank.policies import GRAB
from unirank.policies.base.leader import Leader

ITEMS = ("a", "b", "c", "d")
FIRST = Leader((("a", "b", "c", "d"),), ())
SECOND = Leader((("b",), ("a", "c")), ("d",))
THIRD = Leader((("b",), ("a",)), ("c", "d"))


def history(*leaders: Leader) -> LeaderHistory:
    rounds = 10 ** np.arange(len(leaders))
    return LeaderHistory("unirank", ITEMS, 2, rounds, leaders)


def test_items_stand_at_their_places_in_the_order_of_the_end() -> None:
    other = Leader((("c",), ("b", "a")), ("d",))
    found = places_of(history(FIRST, other, THIRD))  # b, a, c, d at the end
    assert found.T.tolist() == [[0, 1, 2, 3], [2, 0, 1, 3], [0, 1, 2, 3]]
    (mesh,) = plots.leader_history(history(FIRST, other, THIRD)).axes[0].collections[:1]
    assert np.array_equal(np.asarray(mesh.get_array()).reshape(4, 3), found)


def test_lines_part_the_groups() -> None:
    axes = plots.leader_history(history(FIRST, SECOND, THIRD)).axes[0]
    borders = [[s[0][1] for s in lines.get_segments()] for lines in axes.collections[1:]]
    assert borders == [[4], [1, 3], [1, 2]]


def test_axes_and_names() -> None:
    figure = plots.leader_history(history(FIRST, SECOND, THIRD))
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.get_xscale() == "log"
    assert axes.get_ylim() == (4, 0)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2"]
    assert {line.get_ydata()[0] for line in axes.lines} == {2}
    (names,) = axes.child_axes
    assert [label.get_text() for label in names.get_yticklabels()] == ["b", "a", "c", "d"]
    assert [t.get_text() for t in axes.texts] == ["b", "a"]  # those on the page
    assert axes.get_title(loc="left") == "Leader over time: unirank, one game"


def test_cells_end_between_checkpoints() -> None:
    assert edges_of(np.array([1, 4, 16])).tolist() == [1, 2, 8, 16]
    assert edges_of(np.array([10])).tolist() == [9, 11]


@pytest.mark.parametrize(("n_items", "n_positions"), [(4, 2), (12, 12), (90, 5)])
def test_games_can_be_read(n_items: int, n_positions: int) -> None:
    _, noted = played(n_items, n_positions, 300)
    figure = plots.leader_history(noted)
    assert figure.get_figheight() < 6
    assert illegible(figure) == []


def test_a_single_checkpoint_and_lists_can_be_drawn() -> None:
    one = follow_leader(UniRank(5, 2), users(5, 2), 30, checkpoints=[30])
    grab = plots.leader_history(follow_leader(GRAB(5, 2), users(5, 2), 50))
    assert illegible(plots.leader_history(one)) == illegible(grab) == []


def test_anything_else_is_refused() -> None:
    rule = r"^history must be what simulation.follow_leader returns, got UniRank\("
    with pytest.raises(ArgumentError, match=rule):
        plots.leader_history(UniRank(3, 2))  # type: ignore[arg-type]
