"""Panels: their order, their titles and their places in the figure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import users
from unirank.extras import optional
from unirank.lab.plots.legend import Key, Labelled, add_legend, columns_of
from unirank.lab.plots.theme import COLUMN, PAGE, STYLE, colour_of

# Figure 1 of the paper, row by row.
PAPER = ("kdd-pbm", "yandex-pbm", "yandex-cm", "yandex-8107157-pbm", "simul-pbm", "simul-cm")
COLUMNS = 3
ROW = 1.75  # inches
LEGEND_ROW = 0.14
LONG = 28  # letters of a title that a third of a page does not hold
FIRST_ROUND = 10
FLAT = 0.02  # of a linear axis: curves that stay below are a line at 0
WIDEST, THINNER, THINNEST = 1.9, 0.2, 0.7  # of lines, in points
PER_DECADE = 80  # points of a curve


def place_of(experiment: str) -> tuple[int, str]:
    """Return a key to sort experiments by: the paper's in its order, then others by name."""
    return (PAPER.index(experiment) if experiment in PAPER else len(PAPER)), experiment


def title_of(experiment: str) -> str:
    """Return the title of an experiment: Simul PBM, common clicks for simul-pbm-common."""
    name = experiment.removesuffix("-common")
    acronyms = {"kdd", *users.registry.names()} - {"segments"}
    words = [word.upper() if word in acronyms else word for word in name.split("-")]
    title = " ".join(words)
    title = title[:1].upper() + title[1:]
    return f"{title}, common clicks" if name != experiment else title


def distinct(short: Sequence[str], long: Sequence[str]) -> list[str]:
    """Return the short names, or the long one where a short name is not the only one."""
    return [
        name if short.count(name) == 1 else other for name, other in zip(short, long, strict=True)
    ]


def draw_panels(
    panels: Mapping[str, Sequence[Any]],
    dashes: Mapping[Key, Any],
    draw: Callable[[Any, str, Sequence[Any]], None],
    *,
    y_label: str,
    note: str,
) -> Any:
    """Return a figure of rows of panels, each filled by `draw(axes, title, curves)`.

    Rows have three panels; four panels are two rows of two. `note` says what the curves are, after
    "mean ± standard error of 20".
    """
    n_columns = 2 if len(panels) == 4 else min(len(panels), COLUMNS)
    n_rows = -(-len(panels) // n_columns)
    width = COLUMN if len(panels) == 1 else PAGE
    counts = sorted({curve.n_games for curves in panels.values() for curve in curves})
    games = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    with optional("matplotlib", "lab").rc_context(STYLE):
        columns = columns_of(dashes, width)
        below = LEGEND_ROW * (max(map(len, columns)) + 2)
        height = (ROW if n_rows > 1 else 1.2 * ROW) * n_rows + below
        figure = optional("matplotlib.figure", "lab").Figure(figsize=(width, height), dpi=300)
        figure.supylabel(y_label, y=0.5 + 0.5 * below / height)  # beside the panels
        for place, (title, curves) in enumerate(panels.items()):
            axes = figure.add_subplot(n_rows, n_columns, place + 1)
            too_long = len(panels) > 1 and max(map(len, title.splitlines()), default=0) > LONG
            axes.set_title(title.replace(", ", ",\n", 1) if too_long else title)
            if place + n_columns >= len(panels):  # nothing below it
                axes.set_xlabel("rounds")
            last = max(int(curve.rounds[-1]) for curve in curves)
            axes.set_xscale("log")
            axes.set_xlim(FIRST_ROUND if last > FIRST_ROUND else 0.9, max(last, 1))
            draw(axes, title, curves)
        add_legend(figure, columns, dashes, f"mean ± standard error of {games} {note}")
        # Fix the layout, so that all files written of the figure are the same.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        return figure


def drawn_rounds(axes: Any, rounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the checkpoints to draw: one for each place on the logarithmic axis."""
    places = np.floor(np.log10(rounds) * PER_DECADE)
    last_there = np.append(places[1:] != places[:-1], True)
    chosen: NDArray[np.int64] = np.flatnonzero(last_there & (rounds >= axes.get_xlim()[0]))
    return chosen


def draw_curve(
    axes: Any, curve: Labelled, rounds: Any, mean: Any, error: Any, dashes: Mapping[Key, Any]
) -> None:
    """Draw one curve: a line for the mean, and a band for its standard error.

    Each line is thinner than those before it in the legend, so that one that coincides is seen.
    """
    shown = drawn_rounds(axes, rounds)
    rounds, mean, error = rounds[shown], mean[shown], error[shown]
    look = {"color": colour_of(curve.policy)}
    width = max(WIDEST - THINNER * list(dashes).index((curve.policy, curve.label)), THINNEST)
    axes.plot(rounds, mean, lw=width, ls=dashes[curve.policy, curve.label], **look)
    # A logarithmic axis has no place for a band that reaches 0.
    low = (mean - error).clip(min=mean * 0.1) if axes.get_yscale() == "log" else mean - error
    axes.fill_between(rounds, low, mean + error, alpha=0.25, lw=0, **look)


def scale_linearly(axes: Any, low: float, high: float) -> None:
    """Make the axis of clicks linear, with few ticks, from the decade in which curves leave 0."""
    tickers = optional("matplotlib.ticker", "lab")
    axes.set_ylim(low, high)
    axes.yaxis.set_major_locator(tickers.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(tickers.StrMethodFormatter("{x:,.10g}"))
    curves = [line.get_xydata() for line in axes.lines]
    seen = [xy[np.abs(xy[:, 1]) > FLAT * (high - low), 0].min(initial=np.inf) for xy in curves]
    first, last = axes.get_xlim()
    decade = 10.0 ** np.floor(np.log10(min(seen, default=first)))
    axes.set_xlim(min(max(first, decade), last / 10) if last > 10 * first else first, last)
