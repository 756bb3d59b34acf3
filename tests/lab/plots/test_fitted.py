"""The figure of fitted models shows what it was given, position by position."""

import numpy as np
import pytest

from unirank.lab.plots.fitted import LOOKS, plot_fitted
from unirank.logs.estimators import registry

LOOKED = {"pbm": np.array([1.0, 0.5]), "cm": np.array([1.0, 0.8])}
CLICKED = {"pbm": np.array([0.3, 0.1]), "cm": np.array([0.3, 0.2])}


def test_lines_and_bars_are_the_numbers() -> None:
    figure = plot_fitted(LOOKED, CLICKED, np.array([0.31, 0.12]))
    looks, clicks = figure.axes
    for axes, values in ((looks, LOOKED), (clicks, CLICKED)):
        drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
        assert drawn == {name: [[1, v[0]], [2, v[1]]] for name, v in values.items()}
    assert [bar.get_height() for bar in clicks.patches] == [0.31, 0.12]
    assert [axes.get_ylabel() for axes in figure.axes] == ["examination", "click rate"]


def test_the_legend_names_every_model_and_the_data() -> None:
    (legend,) = plot_fitted(LOOKED, CLICKED, np.array([0.31, 0.12])).legends
    assert {text.get_text() for text in legend.get_texts()} == {"observed", "pbm", "cm"}


@pytest.mark.parametrize("name", registry.names())
def test_every_model_has_a_colour_and_a_mark_of_its_own(name: str) -> None:
    others = [look for other, look in LOOKS.items() if other != name]
    assert not {LOOKS[name][0], LOOKS[name][1]} & {part for look in others for part in look}
