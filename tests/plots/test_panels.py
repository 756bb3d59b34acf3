"""The order, the titles and the places of panels."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.plots.curves import PAPER
from unirank.lab import list_experiments
from unirank.plots import panels
from unirank.plots.panels import COLUMNS, figure_of, place_of, said, scale_rounds, title_of
from unirank.plots.theme import COLUMN, INCH, PAGE


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
    ("n_panels", "shape"), [(1, (1, 1)), (2, (1, 2)), (6, (2, 3)), (7, (3, 3))]
)
def test_rows_hold_three_panels(n_panels: int, shape: tuple[int, int]) -> None:
    figure, places = figure_of("abcdefg"[:n_panels], "y", n_legend_rows=2)
    assert len(places) == n_panels
    assert places[0].get_gridspec().get_geometry() == shape
    assert figure.get_figwidth() * INCH == pytest.approx(8.5 if n_panels == 1 else 17)
    assert COLUMN < PAGE
    assert shape[1] <= COLUMNS


def test_rounds_are_named_only_where_no_panel_is_below() -> None:
    _, places = figure_of("abcde", "y", n_legend_rows=2)
    assert [axes.get_xlabel() for axes in places] == ["", "", "rounds", "rounds", "rounds"]


def test_a_title_too_long_for_a_third_of_a_page_is_broken() -> None:
    long = "Yandex 8107157 PBM, common clicks"
    _, (first, second) = figure_of([long, "KDD PBM, common clicks"], "y", n_legend_rows=2)
    assert first.get_title(loc="center") == long.replace(", ", ",\n")
    assert second.get_title(loc="center") == "KDD PBM, common clicks"


@pytest.mark.parametrize("last", [1, 10, 11, 10**7])
def test_the_axis_of_rounds_ends_at_the_last(last: int) -> None:
    _, (axes,) = figure_of("a", "y", n_legend_rows=2)
    scale_rounds(axes, last)
    low, high = axes.get_xlim()
    assert low < high == last
    assert axes.get_xscale() == "log"


def test_numbers_of_games() -> None:
    assert said([20, 20]) == "20"
    assert said([200, 20, 80]) == "20 to 200"


def test_points_that_fall_together_are_drawn_once() -> None:
    rounds = np.unique(np.append(np.arange(1, 10**6, 500), 10**6))
    axes = Figure().add_subplot()
    panels.scale_rounds(axes, 10**6)
    drawn = rounds[panels.drawn_rounds(axes, rounds)]
    assert drawn[-1] == 10**6
    assert drawn[0] >= 10
    assert len(drawn) < 5 * panels.PER_DECADE
    steps = np.diff(np.log10(drawn[drawn > 10**5]))
    assert steps.max() < 2 / panels.PER_DECADE
