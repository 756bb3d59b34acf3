"""One legend, grouped by the clicks that policies are made for."""

from tests.lab.plots.curves import CURVES, curve, curves
from unirank.lab.plots.legend import OTHERS, columns_of, dashes_of, heading_of, raised
from unirank.lab.plots.regret_curve import plot_regret
from unirank.lab.plots.theme import COLUMN, PAGE, colour_of


def test_headings_come_from_the_registry() -> None:
    assert heading_of("unirank") == heading_of("plain-unirank") == "Any click model"
    assert heading_of("pbm-ucb") == "Position-based only"
    assert heading_of("cascade-kl-ucb") == heading_of("dcm-kl-ucb") == "Cascade only"
    assert heading_of("mp-ts") == "No position bias only"
    assert heading_of("MyPolicy") == OTHERS


def test_curves_stand_under_their_heading() -> None:
    every = [curve("MyPolicy", "X"), curve("cascade-ucb1", "C"), curve("pbm-ucb", "P"), curve()]
    assert columns_of(dashes_of(every), PAGE) == [
        ["Any click model", ("unirank", "UniRank")],
        ["Position-based only", ("pbm-ucb", "P")],
        ["Cascade only", ("cascade-ucb1", "C")],
        [OTHERS, ("MyPolicy", "X")],
    ]


def test_curves_of_one_colour_differ_in_their_dashes() -> None:
    first, second, third = (curve("toprank", label) for label in "abc")
    dashes = dashes_of([second, first, second, third, curve(), curve("plain-unirank", "plain")])
    assert len({repr(dashes["toprank", label]) for label in "abc"}) == 3
    assert dashes["toprank", "b"] == dashes["unirank", "UniRank"] == "-"
    assert colour_of("plain-unirank") == colour_of("unirank")
    assert dashes["plain-unirank", "plain"] != "-"


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
    assert [text for text in bold if text.strip()] == ["Any click model", "Cascade only"]
    handles = {h.get_label(): h for h in legend.legend_handles}
    for policy, label, _ in CURVES:
        assert handles[raised(label)].get_color() == colour_of(policy)


def test_one_column_where_the_headings_do_not_fit_side_by_side() -> None:
    wide = dashes_of([curve(label="a" * 60), curve("cascade-ucb1", "b" * 60)])
    assert [len(column) for column in columns_of(wide, COLUMN)] == [4]


def test_nothing_sticks_out_of_the_figure() -> None:
    for panels in ({"One": curves()}, dict.fromkeys("abcdef", curves())):
        figure = plot_regret(panels)
        figure.draw_without_rendering()
        box, whole = figure.legends[0].get_window_extent(), figure.bbox
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        lowest = min(axes.get_tightbbox().y0 for axes in figure.axes)
        assert whole.y0 <= box.y0 < box.y1 <= lowest


def test_a_legend_has_the_names_that_people_write() -> None:
    figure = plot_regret({"One": [curve("pb-mhb", "pb-mhb"), curve("random", "random")]})
    shown = {text.get_text() for text in figure.legends[0].get_texts()}
    assert {"PB-MHB", "Random"} <= shown
