"""Fitted click models beside the observed clicks: examination and click rate by position."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.extras import optional
from unirank.lab.plots.theme import PAGE, STYLE

Floats = NDArray[np.float64]

# A colour of Okabe and Ito's palette and a mark for each click model.
LOOKS = {
    "pbm": ("#0072B2", "o"),
    "cm": ("#D55E00", "s"),
    "dcm": ("#009E73", "^"),
    "sdbn": ("#999999", "v"),
    "dbn": ("#CC79A7", "D"),
    "ccm": ("#E69F00", "P"),
    "ubm": ("#56B4E9", "X"),
}


def plot_fitted(
    examination: Mapping[str, Floats], click_rate: Mapping[str, Floats], observed: Floats
) -> Any:
    """Draw examination and click rate by position: a line per click model, bars for the data."""
    figures = optional("matplotlib.figure", "lab")
    with optional("matplotlib", "lab").rc_context(STYLE):
        figure = figures.Figure(figsize=(PAGE, 2.6), dpi=300, layout="constrained")
        looks, clicks = figure.subplots(1, 2)
        for model, values in examination.items():
            draw(looks, model, values)
        clicks.bar(positions(observed), observed, color="0.85", label="observed")
        for model, values in click_rate.items():
            draw(clicks, model, values)
        looks.set(title="How often a position is looked at", ylabel="examination", ylim=(0, 1.05))
        clicks.set(title="How often it is clicked", ylabel="click rate")
        clicks.set_ylim(bottom=0)
        for axes in (looks, clicks):
            axes.set_xlabel("position")
            axes.set_xticks(positions(observed))
        handles, labels = clicks.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return figure


def positions(values: Floats) -> NDArray[np.int64]:
    """Return positions counted from 1."""
    return np.arange(1, values.size + 1, dtype=np.int64)


def draw(axes: Any, model: str, values: Floats) -> None:
    colour, mark = LOOKS[model]
    axes.plot(positions(values), values, color=colour, marker=mark, ms=4, lw=1.2, label=model)
