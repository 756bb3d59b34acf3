"""The picture of MatchRank's leader shows its list with the intervals of the explanation."""

from typing import Any

import pytest

from tests.lab.plots.looks import illegible
from tests.policies.match_rank.situations import overruled, played, put_test, sized
from unirank import MatchRank
from unirank.lab import plots
from unirank.lab.plots.leader_beliefs import MOST_BELOW, MOST_POSITIONS
from unirank.lab.plots.theme import GREY, SURE


def names(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def intervals(axes: Any) -> list[tuple[float, float]]:
    lines = [line for line in axes.lines if line.get_marker() == "None"]
    return [tuple(line.get_xdata()) for line in lines if line.get_linestyle() == "-"]


def test_items_and_positions_stand_beside_their_intervals() -> None:
    policy = played(500)
    figure, found = plots.leader(policy), policy.explain()
    left, right = figure.axes
    assert names(left) == [belief.of for belief in found.attraction]
    assert names(right) == ["1", "2"]
    assert intervals(left) == [(belief.low, belief.high) for belief in found.attraction]
    assert intervals(right) == [(belief.low, belief.high) for belief in found.examination]
    assert figure.get_suptitle() == "Leader of MatchRank after 500 rounds"


def test_items_below_the_page_are_grey_and_behind_a_line() -> None:
    left, _ = plots.leader(played(500)).axes
    dots = [line.get_color() for line in left.lines if line.get_marker() == "o"]
    assert dots == [SURE, SURE, GREY, GREY]
    (dashed,) = [line for line in left.lines if line.get_linestyle() == "--"]
    assert dashed.get_ydata()[0] == 1.5
    full = plots.leader(sized(3, 3, 20))
    assert not [line for line in full.axes[0].lines if line.get_linestyle() == "--"]


def test_an_item_that_tests_put_there_has_a_star() -> None:
    figure = plots.leader(overruled())
    assert names(figure.axes[0])[:2] == ["pot*", "mug"]
    told = " ".join(figure.get_supxlabel().split())
    assert "* pot: the tests overrule the model, which prefers mug." in told
    agreeing = played(500)
    put_test(agreeing, 1, 2, gain=30.0, spread=20.0)
    assert "*" not in plots.leader(agreeing).get_supxlabel()


def test_what_is_left_out_is_counted() -> None:
    figure = plots.leader(sized(60, 25, 10))
    assert len(names(figure.axes[0])) == MOST_POSITIONS + MOST_BELOW
    assert figure.get_supxlabel().endswith("Not drawn: 5 more positions and 27 more items.")


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (4, 4), (12, 5), (60, 25)])
@pytest.mark.parametrize("n_rounds", [0, 40])
def test_leaders_of_all_sizes_can_be_read(size: tuple[int, int], n_rounds: int) -> None:
    assert illegible(plots.leader(sized(*size, n_rounds))) == []


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a row", "ok"]
    figure = plots.leader(MatchRank(items, 2))
    assert illegible(figure) == []
    assert names(figure.axes[0])[:3] == [r"\$x\$", r"\bad{\$", "a name that…"]


def test_long_names_differ() -> None:
    policy = sized(30, 10, 40, [f"a very long product name number {n}" for n in range(30)])
    figure = plots.leader(policy)
    rows = names(figure.axes[0])
    assert len(set(rows)) == len(rows)
    assert illegible(figure) == []


def test_looking_changes_nothing() -> None:
    one, two = played(100), played(100)
    plots.leader(one)
    plots.pair_tests(one)
    assert [one.rank().items for _ in range(20)] == [two.rank().items for _ in range(20)]
