"""The table of pairs says what the policy counted."""

from typing import Any

import numpy as np
import pytest

from tests.lab.plots.looks import illegible, marked
from tests.lab.plots.situations import ordered, played, three
from tests.policies.situations import policy_with
from unirank import ArgumentError, UniRank
from unirank.lab import plots
from unirank.lab.plots.theme import COLUMN
from unirank.policies import GRAB
from unirank.policies.uni_rank.pairs import MOST_ITEMS

WINS = [[0, 2, 0, 0], [9, 0, 7, 2], [8, 7, 0, 2], [0, 0, 0, 0]]  # leader {1, 2}, then 0 and 3


def table(figure: Any) -> Any:
    return figure.axes[0]


def test_rows_and_columns_are_in_the_leaders_order() -> None:
    axes = table(plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20)))
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert [label.get_text() for label in labels] == ["b", "c", "d", "a"]
    shown = axes.images[0].get_array()
    wins = np.array(WINS)[np.ix_([1, 2, 3, 0], [1, 2, 3, 0])]
    with np.errstate(invalid="ignore"):
        expected = (wins - wins.T) / (wins + wins.T)
    assert np.array_equal(np.ma.filled(shown, np.nan), expected, equal_nan=True)
    assert np.ma.getmaskarray(shown)[2, 3]  # a and d: never compared


def test_cells_say_difference_and_count() -> None:
    axes = table(plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20)))
    minus = "\N{MINUS SIGN}"
    cells = {tuple(map(int, text.get_position()))[::-1]: text.get_text() for text in axes.texts}
    assert cells == {
        (0, 1): "0.00\n14", (1, 0): "0.00\n14",
        (0, 3): "+0.64\n11", (3, 0): f"{minus}0.64\n11",
        (1, 3): "+1.00\n8", (3, 1): f"{minus}1.00\n8",
        (0, 2): "+1.00\n2", (2, 0): f"{minus}1.00\n2",
        (1, 2): "+1.00\n2", (2, 1): f"{minus}1.00\n2",
    }  # fmt: skip


def test_sure_pairs_are_framed() -> None:
    policy = three()
    frames = marked(table(plots.pairs(policy)), "sure")
    framed = {(int(np.ceil(p.get_y())), int(np.ceil(p.get_x()))) for p in frames}
    known = policy.explain().table
    assert known is not None
    sure = {(i, j) for i, j in np.argwhere(known.decided).tolist()}
    assert (0, 1) in sure
    assert (1, 2) not in sure
    assert framed == sure
    assert marked(table(plots.pairs(three(seen=0))), "sure") == []


def test_ties_and_the_end_of_the_page_are_drawn() -> None:
    axes = table(plots.pairs(policy_with(WINS, 2, items=list("abcd"), seen=20)))
    (square,) = marked(axes, "tied")
    assert square.get_bbox().bounds == (-0.5, -0.5, 2, 2)
    assert [line.get_xydata()[0].tolist() for line in axes.lines] == [[0, 1.5], [1.5, 0]]
    start = table(plots.pairs(UniRank(4, 2)))
    assert len(marked(start, "tied")) == 1
    assert (len(start.lines), len(start.texts)) == (0, 0)


@pytest.mark.parametrize(("n_items", "wide"), [(2, False), (7, False), (18, True)])
def test_tables_with_numbers_can_be_read(n_items: int, wide: bool) -> None:
    figure = plots.pairs(ordered(n_items, 2, won=9_400, lost=2_000, seen=50))
    assert (figure.get_figwidth() > COLUMN) == wide
    assert len(table(figure).texts) == n_items * (n_items - 1)
    assert illegible(figure) == []


def test_of_many_items_colours_remain() -> None:
    policy, _ = played(50, 10, 200)
    figure = plots.pairs(policy)
    axes = table(figure)
    assert len(axes.texts) == 0
    assert axes.images[0].get_array().shape == (50, 50)
    assert illegible(figure) == []


def test_names_are_written_as_they_are() -> None:
    items = ["$x$", r"\bad{$", "a name that is far too long for a table", "ok"]
    assert illegible(plots.pairs(policy_with(WINS, 2, items=items, seen=20))) == []


def test_other_policies_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"got GRAB\(.*: GRAB gives no table of every pair"):
        plots.pairs(GRAB(3, 2))


def test_what_is_left_out_is_counted() -> None:
    figure = plots.pairs(ordered(MOST_ITEMS + 3, 2, won=9, lost=2, seen=50))
    assert figure.get_supxlabel().endswith("Not drawn: 3 more items.")
    assert "Not drawn" not in plots.pairs(three()).get_supxlabel()
