"""The figure of differences: who saves clicks against whom."""

import numpy as np
import pytest

from tests.lab.plots.curves import ROUNDS, curve
from unirank.lab.plots.difference import Difference, limits_of, plot_differences
from unirank.lab.plots.theme import colour_of


def gap(policy: str, label: str, end: float, error: float = 1.0) -> Difference:
    mean = end * np.log(ROUNDS) / np.log(ROUNDS[-1])
    return Difference(policy, label, ROUNDS, mean, np.full(len(ROUNDS), error), 4)


GAPS = [gap("unirank", "UniRank", -20), gap("toprank", "TopRank, doubling", 30)]


def test_lines_bands_and_zero() -> None:
    figure = plot_differences({"One": GAPS}, against="TopRank, horizon 10^12")
    (axes,) = figure.axes
    zero, first, second = axes.lines
    assert np.all(np.asarray(zero.get_ydata()) == 0)
    assert np.allclose(first.get_ydata(), GAPS[0].mean[1:])
    assert second.get_color() == colour_of("toprank")
    lowest = axes.collections[0].get_paths()[0].vertices[:, 1].min()
    assert lowest == pytest.approx(-21)
    label = "clicks lost (saved if below 0)\nagainst TopRank, horizon 10¹²"
    assert figure.get_supylabel() == label


def test_dashes_are_those_of_the_figure_of_regret() -> None:
    labels = ("TopRank, right horizon", "TopRank, doubling")
    known = [curve(), *(curve("toprank", label) for label in labels)]
    figure = plot_differences({"One": GAPS}, against="TopRank, right horizon", known=known)
    assert figure.axes[0].lines[2].get_linestyle() == "--"
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["UniRank", "TopRank, doubling"]


def test_a_logarithmic_axis_goes_both_ways() -> None:
    (axes,) = plot_differences({"One": GAPS}, against="x", y="log").axes
    assert axes.get_yscale() == "symlog"
    assert axes.get_ylim()[0] < -20 < 30 < axes.get_ylim()[1]


def test_the_axis_holds_all_but_one_that_is_far_off() -> None:
    low, high = limits_of(GAPS)
    assert -30 < low < -21
    assert 31 < high < 40
    low, high = limits_of([*GAPS, gap("random", "random", 5000)])
    assert high < 40
    low, high = limits_of([gap("unirank", "UniRank", -20), gap("random", "random", 5000)])
    assert 0 < high < 20
    assert low < -20


def test_no_difference_and_no_error_can_be_drawn() -> None:
    same = gap("unirank", "UniRank", 0.0, error=np.nan)
    (axes,) = plot_differences({"One": [same]}, against="x").axes
    assert axes.get_ylim() == (-1, 1)
