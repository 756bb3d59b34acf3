"""Panels: their order, their titles and their places in the figure."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import click_models
from unirank.extras import optional
from unirank.plots.theme import COLUMN, PAGE

# Figure 1 of the paper, row by row.
PAPER = ("kdd-pbm", "yandex-pbm", "yandex-cm", "yandex-8107157-pbm", "simul-pbm", "simul-cm")
COLUMNS = 3
ROW = 1.75  # inches
LEGEND_ROW = 0.14
LONG = 28  # letters of a title that a third of a page does not hold
FIRST_ROUND = 10
PER_DECADE = 80  # points of a curve


def place_of(experiment: str) -> tuple[int, str]:
    """Return a key to sort experiments by: the paper's in its order, then others by name."""
    return (PAPER.index(experiment) if experiment in PAPER else len(PAPER)), experiment


def title_of(experiment: str) -> str:
    """Return the title of an experiment: Simul PBM, common clicks for simul-pbm-common."""
    name = experiment.removesuffix("-common")
    acronyms = {"kdd", *click_models.registry.names()}
    words = [word.upper() if word in acronyms else word for word in name.split("-")]
    title = " ".join(words)
    title = title[:1].upper() + title[1:]
    return f"{title}, common clicks" if name != experiment else title


def width_of(n_panels: int) -> float:
    """Return inches: a column of text for one panel, the page for more."""
    return COLUMN if n_panels == 1 else PAGE


def figure_of(titles: Iterable[str], y_label: str, *, n_legend_rows: int) -> tuple[Any, list[Any]]:
    """Return an empty figure with rows of three panels and room for a legend, and its panels."""
    figures = optional("matplotlib.figure", "lab")
    titles = list(titles)
    n_panels = len(titles)
    n_columns = min(n_panels, COLUMNS)
    n_rows = -(-n_panels // n_columns)
    below = LEGEND_ROW * (n_legend_rows + 2)
    height = (ROW if n_rows > 1 else 1.2 * ROW) * n_rows + below
    figure = figures.Figure(figsize=(width_of(n_panels), height), dpi=300)
    figure.supylabel(y_label, y=0.5 + 0.5 * below / height)  # beside the panels, not the legend
    panels = []
    for place, title in enumerate(titles):
        axes = figure.add_subplot(n_rows, n_columns, place + 1)
        too_long = n_panels > 1 and max(map(len, title.splitlines()), default=0) > LONG
        axes.set_title(title.replace(", ", ",\n", 1) if too_long else title)
        if place + n_columns >= n_panels:  # nothing below it
            axes.set_xlabel("rounds")
        panels.append(axes)
    return figure, panels


def drawn_rounds(axes: Any, rounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the checkpoints to draw: one for each place on the logarithmic axis."""
    places = np.floor(np.log10(rounds) * PER_DECADE)
    last_there = np.append(places[1:] != places[:-1], True)
    chosen: NDArray[np.int64] = np.flatnonzero(last_there & (rounds >= axes.get_xlim()[0]))
    return chosen


def scale_rounds(axes: Any, last: int) -> None:
    """Make the axis of rounds logarithmic, from the tenth round to the last."""
    axes.set_xscale("log")
    axes.set_xlim(FIRST_ROUND if last > FIRST_ROUND else 0.9, max(last, 1))


def scale_linearly(axes: Any, low: float, high: float) -> None:
    """Make the axis of clicks linear, with few ticks."""
    tickers = optional("matplotlib.ticker", "lab")
    axes.set_ylim(low, high)
    axes.yaxis.set_major_locator(tickers.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(tickers.StrMethodFormatter("{x:,.10g}"))


def settled(figure: Any) -> Any:
    """Fix the layout of a figure, so that all files written of it are the same."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def said(numbers: Iterable[int]) -> str:
    """Return the number of games: 20, or 20 to 200 where panels differ."""
    found = sorted(set(numbers))
    return f"{found[0]}" if len(found) == 1 else f"{found[0]} to {found[-1]}"
