"""The table of pairs says what the policy counted."""

from typing import Any

import numpy as np
import pytest

from tests.plots.looks import illegible, marked, said, words
from tests.plots.situations import ordered, played, three
from tests.policies.situations import policy_with
from unirank import GRAB, ArgumentError, UniRank, plots
from unirank.plots.pair_table import counted, short
from unirank.plots.theme import COLUMN, PAGE
from unirank.policies.uni_rank.pairs import pairs_of

WINS = [[0, 2, 0, 0], [9, 0, 7, 2], [8, 7, 0, 2], [0, 0, 0, 0]]  # leader {1, 2}, then 0 and 3


def table(figure: Any) -> Any:
    return figure.axes[1]


def cells(figure: Any) -> dict[tuple[int, int], str]:
    return {
        (round(text.get_position()[1]), round(text.get_position()[0])): text.get_text()
        for text in table(figure).texts
    }


def places_of(patches: list[Any]) -> set[tuple[int, int]]:
    """Row and column of patches that mark cells."""
    return {(int(np.ceil(p.get_y() - 0.2)), int(np.ceil(p.get_x() - 0.2))) for p in patches}


def test_rows_and_columns_are_in_the_leaders_order() -> None:
    figure = plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20))
    axes = table(figure)
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert [label.get_text() for label in labels] == ["b", "c", "a", "d"]
    shown = axes.images[0].get_array()
    expected = pairs_of(policy_with(WINS, 2)).difference[np.ix_([1, 2, 0, 3], [1, 2, 0, 3])]
    assert np.array_equal(np.ma.filled(shown, np.nan), expected, equal_nan=True)
    assert np.ma.getmaskarray(shown)[2, 3]  # a and d: never compared
    assert (axes.images[0].norm.vmin, axes.images[0].norm.vmax) == (-1, 1)


def test_cells_say_difference_and_count() -> None:
    figure = plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20))
    minus = "\N{MINUS SIGN}"
    assert cells(figure) == {
        (0, 1): "0\n14", (1, 0): "0\n14",
        (0, 2): "+.64\n11", (2, 0): f"{minus}.64\n11",
        (1, 2): "+1\n8", (2, 1): f"{minus}1\n8",
        (0, 3): "+1\n2", (3, 0): f"{minus}1\n2",
        (1, 3): "+1\n2", (3, 1): f"{minus}1\n2",
    }  # fmt: skip


def test_what_is_sure_is_framed() -> None:
    policy = three()
    figure = plots.pairs(policy)
    sure = {(i, j) for i, j in np.argwhere(pairs_of(policy).sure).tolist()}
    assert (0, 1) in sure
    assert (1, 2) not in sure
    assert places_of(marked(table(figure), "sure")) == sure
    assert marked(table(plots.pairs(three(seen=0))), "sure") == []


def test_ties_and_the_end_of_the_page_are_drawn() -> None:
    axes = table(plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20)))
    (square,) = marked(axes, "tied")
    assert square.get_bbox().bounds == (-0.5, -0.5, 2, 2)
    assert [line.get_xydata()[0].tolist() for line in axes.lines] == [[0, 1.5], [1.5, 0]]
    start = table(plots.pairs(UniRank(4, 2)))
    assert len(marked(start, "tied")) == 1
    assert len(start.lines) == 0
    assert len(start.texts) == 0


def test_the_bar_speaks_in_words() -> None:
    figure = plots.pairs(three())
    labels = [label.get_text() for label in figure.axes[2].get_xticklabels()]
    assert labels == ["ŝ = \N{MINUS SIGN}1, column wins", "0, even", "+1, row wins"]
    assert "likely values of ŝ are all on one side of 0" in said(figure)
    assert words(figure)[0] == "What UniRank knows of pairs, 0 rounds"


@pytest.mark.parametrize("n_items", [2, 4, 7, 10])
def test_a_column_holds_ten_items_with_their_numbers(n_items: int) -> None:
    figure = plots.pairs(ordered(n_items, 2, won=9_400, lost=2_000, seen=50))
    assert figure.get_figwidth() == COLUMN
    assert len(table(figure).texts) == n_items * (n_items - 1)
    assert illegible(figure) == []


@pytest.mark.parametrize(("n_items", "width"), [(12, 1.15 * COLUMN), (20, PAGE)])
def test_wider_tables_keep_their_numbers_up_to_a_page(n_items: int, width: float) -> None:
    figure = plots.pairs(ordered(n_items, 5, won=94, lost=20, seen=50))
    assert COLUMN < figure.get_figwidth() <= width
    assert len(table(figure).texts) == n_items * (n_items - 1)
    assert illegible(figure) == []


def test_of_many_items_colours_remain() -> None:
    policy, _ = played(50, 10, 200)
    figure = plots.pairs(policy)
    axes = table(figure)
    assert figure.get_figwidth() == COLUMN
    assert len(axes.texts) == 0
    assert axes.images[0].get_array().shape == (50, 50)
    assert 20 <= len(axes.get_yticklabels()) <= 25
    assert illegible(figure) == []


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a table", "ok"]
    figure = plots.pairs(policy_with(WINS, 2, items=items, seen=20))
    figure.draw_without_rendering()
    assert illegible(figure) == []


@pytest.mark.parametrize(
    ("number", "written"),
    [(7, "7"), (999, "999"), (1000, "1.0k"), (9_949, "9.9k"), (9_950, "10k"), (999_499, "999k"),
     (999_500, "1.0M"), (12_345_678, "12M"), (3_000_000_000, "3G")],
)  # fmt: skip
def test_counts_are_short(number: int, written: str) -> None:
    assert counted(number) == written


def test_differences_are_short() -> None:
    assert [short(x) for x in (0.5, 1.0, 0.004, -0.004, 0.0)] == ["+.50", "+1", "0", "0", "0"]
    assert [short(x) for x in (-1.0, -0.25)] == ["\N{MINUS SIGN}1", "\N{MINUS SIGN}.25"]


def test_other_policies_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^policy must be UniRank, which compares pairs"):
        plots.pairs(GRAB(3, 2))
