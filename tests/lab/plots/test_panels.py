"""The order, the titles and the places of panels."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.lab.plots.curves import PAPER, curve
from unirank.lab import list_experiments
from unirank.lab.plots.panels import PER_DECADE, drawn_rounds, place_of, title_of
from unirank.lab.plots.regret_curve import plot_regret
from unirank.lab.plots.theme import INCH


def test_the_paper_comes_first_in_its_order_then_the_others_by_name() -> None:
    found = ["ties", *sorted(PAPER), "simul-pbm-common", "b"]
    assert sorted(found, key=place_of) == [*PAPER, "b", "simul-pbm-common", "ties"]
    assert set(PAPER) <= set(list_experiments())


@pytest.mark.parametrize(
    ("experiment", "title"),
    [
        ("kdd-pbm", "KDD PBM"),
        ("yandex-8107157-pbm", "Yandex 8107157 PBM"),
        ("simul-cm", "Simul CM"),
        ("simul-pbm-common", "Simul PBM, common clicks"),
        ("six-click-models", "Six click models"),
        ("", ""),
    ],
)
def test_titles_are_those_of_people(experiment: str, title: str) -> None:
    assert title_of(experiment) == title


@pytest.mark.parametrize(
    ("n_panels", "shape"), [(1, (1, 1)), (2, (1, 2)), (4, (2, 2)), (7, (3, 3))]
)
def test_rows_hold_three_panels_and_four_leave_no_hole(
    n_panels: int, shape: tuple[int, int]
) -> None:
    figure = plot_regret({title: [curve()] for title in "abcdefg"[:n_panels]})
    assert len(figure.axes) == n_panels
    assert figure.axes[0].get_gridspec().get_geometry() == shape
    assert figure.get_figwidth() * INCH == pytest.approx(8.5 if n_panels == 1 else 17)


def test_rounds_are_named_only_where_no_panel_is_below() -> None:
    figure = plot_regret({title: [curve()] for title in "abcde"})
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "rounds", "rounds", "rounds"]


def test_a_title_too_long_for_a_third_of_a_page_is_broken() -> None:
    long, short = "Yandex 8107157 PBM, common clicks", "KDD PBM, common clicks"
    first, second = plot_regret({long: [curve()], short: [curve()]}).axes
    assert first.get_title(loc="left") == long.replace(", ", ",\n")
    assert second.get_title(loc="left") == short


def test_the_axis_of_rounds_is_logarithmic_and_ends_at_the_last() -> None:
    (axes,) = plot_regret({"a": [curve()]}, y="log").axes
    assert axes.get_xlim() == (10, 10_000)
    assert axes.get_xscale() == "log"


@pytest.mark.parametrize(("size", "first"), [(1.0, 10), (500.0, 1000)])
def test_a_linear_scale_begins_in_the_decade_in_which_curves_leave_0(
    size: float, first: float
) -> None:
    """The last round makes the axis so long that the others are a line at 0, or not."""
    trace = curve()
    regret = trace.regret.copy()
    regret[:, trace.rounds > 5000] *= size
    traces = [replace(trace, regret=regret)]
    (axes,) = plot_regret({"a": traces}).axes
    assert axes.get_xlim() == (first, 10_000)
    assert axes.get_xscale() == "log"


def test_a_curve_that_coincides_with_another_is_seen() -> None:
    (axes,) = plot_regret({"a": [curve(), curve("toprank", "TopRank")]}).axes
    below, above = axes.lines
    assert np.array_equal(below.get_ydata(), above.get_ydata())
    assert below.get_linewidth() > above.get_linewidth() > 0.5


def test_numbers_of_games() -> None:
    figure = plot_regret({"a": [curve(n_games=20)], "b": [curve(n_games=5)]})
    note = "mean ± standard error of 5 to 20 games"
    assert figure.legends[0].get_title().get_text() == note


def test_points_that_fall_together_are_drawn_once() -> None:
    rounds = np.unique(np.append(np.arange(1, 10**6, 500), 10**6))
    axes = Figure().add_subplot(xlim=(10, 10**6), xscale="log")
    drawn = rounds[drawn_rounds(axes, rounds)]
    assert drawn[-1] == 10**6
    assert drawn[0] >= 10
    assert len(drawn) < 5 * PER_DECADE
    steps = np.diff(np.log10(drawn[drawn > 10**5]))
    assert steps.max() < 2 / PER_DECADE
