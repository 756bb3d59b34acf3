"""One legend, grouped by the clicks that policies are made for."""

from collections.abc import Iterator

import pytest

from tests.plots.curves import CURVES, curve, curves
from unirank.plots.legend import (
    HEADINGS,
    Row,
    arranged,
    dashes_of,
    grouped,
    heading_of,
    packed,
    raised,
)
from unirank.plots.regret_curve import plot_regret
from unirank.plots.theme import COLUMN, PAGE, colour_of
from unirank.policies import UniRank, registry
from unirank.registry import Entry


@pytest.fixture
def position_based() -> Iterator[str]:
    """A policy for position-based clicks, known to the registry for a while."""
    registry._entries["eyes"] = Entry("eyes", UniRank, {"clicks": "position-based"})
    yield "eyes"
    registry.remove("eyes")


def test_headings_come_from_the_registry(position_based: str) -> None:
    assert heading_of(position_based) == "Position-based only"
    for entry in registry:
        clicks = entry.facts["clicks"]
        assert heading_of(entry.name) == HEADINGS.get(clicks, f"{clicks.capitalize()} only")
    assert heading_of("unirank") == "Any click model"
    assert heading_of("cascade-kl-ucb") == heading_of("dcm-kl-ucb") == "Cascade only"
    assert heading_of("nobody") == "Not registered"


def test_curves_stand_under_their_heading(position_based: str) -> None:
    every = [curve("nobody", "X"), curve("cascade-ucb1", "C"), curve(position_based, "P")]
    assert grouped(dashes_of([*every, curve()])) == {
        "Any click model": [("unirank", "UniRank")],
        "Position-based only": [("eyes", "P")],
        "Cascade only": [("cascade-ucb1", "C")],
        "Not registered": [("nobody", "X")],
    }


def test_variants_differ_in_their_dashes_whatever_panel_comes_first() -> None:
    first, second, third = (curve("toprank", label) for label in "abc")
    dashes = dashes_of([second, first, second, third, curve()])
    assert len({repr(dashes["toprank", label]) for label in "abc"}) == 3
    assert dashes["toprank", "b"] == dashes["unirank", "UniRank"] == "-"


def test_a_figure_has_one_legend_with_bold_headings() -> None:
    figure = plot_regret({"One": curves(), "Two": curves()[:2]})
    (legend,) = figure.legends
    assert [axes.get_legend() for axes in figure.axes] == [None, None]
    texts = legend.get_texts()
    assert [text.get_text().strip() for text in texts] == [
        "Any click model", "UniRank", "TopRank, right horizon", "TopRank, horizon 10¹²",
        "Cascade only", "CascadeKL-UCB", "", "",
    ]  # fmt: skip
    bold = [text.get_text() for text in texts if text.get_fontweight() == "bold"]
    assert bold == ["Any click model", "Cascade only"]
    handles = {h.get_label(): h for h in legend.legend_handles}
    for policy, label, _ in CURVES:
        assert handles[raised(label)].get_color() == colour_of(policy)


def test_a_curve_called_like_a_heading_is_not_one() -> None:
    figure = plot_regret({"One": [curve(label="Cascade only"), curve("cascade-ucb1", "C")]})
    weights = [
        text.get_fontweight()
        for text in figure.legends[0].get_texts()
        if text.get_text() == "Cascade only"
    ]
    assert weights == ["normal", "bold"]


def test_the_legend_is_as_wide_as_the_figure_allows() -> None:
    dashes = dashes_of([curve(*each) for each in CURVES])
    assert [len(column) for column in arranged(dashes, PAGE)] == [4, 2]
    assert [len(column) for column in arranged(dashes, 2.0)] == [6]
    wide = dashes_of([curve(label="a" * 60), curve("cascade-ucb1", "b" * 60)])
    assert len(arranged(wide, COLUMN)) == 1


def test_columns_are_as_even_as_order_permits() -> None:
    blocks: list[list[Row]] = [["a"] * 3, ["b"], ["c"] * 2, ["d"] * 2]
    assert packed(blocks, 2) == [["a"] * 3 + ["b"], ["c", "c", "d", "d"]]
    assert [len(column) for column in packed(blocks, 1)] == [8]


def test_nothing_sticks_out_of_the_figure() -> None:
    for panels in ({"One": curves()}, dict.fromkeys("abcdef", curves())):
        figure = plot_regret(panels)
        figure.draw_without_rendering()
        box, whole = figure.legends[0].get_window_extent(), figure.bbox
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        lowest = min(axes.get_tightbbox().y0 for axes in figure.axes)
        assert whole.y0 <= box.y0 < box.y1 <= lowest


def test_powers_are_raised() -> None:
    assert raised("TopRank, horizon 10^12") == "TopRank, horizon 10¹²"
    assert raised("a^2 and ^3") == "a^2 and ^3"
