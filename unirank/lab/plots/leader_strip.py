"""The leader over time: each item's place, and its ties, as a game went on."""

from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, INK, SMALL, STYLE
from unirank.lab.plots.words import short_names
from unirank.lab.simulation import LeaderHistory
from unirank.policies.base.leader import ItemId, Leader

ROW, TALLEST, LOWEST = 0.17, 4.5, 1.2  # inches of a place, and of all places
BELOW = ("#C9C9C9", "#E0E0E0")  # in turn, so that neighbours differ
LETTER = 0.025  # of the width of the figure
NOTES = """Items without a line between them are tied. Dashed: end of the page.
Colours: the order at the end; grey: below the page then."""


def leader_history(history: LeaderHistory, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw the leaders that `simulation.follow_leader` noted.

    Parameters
    ----------
    history
        What `simulation.follow_leader` returned.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Examples
    --------
    >>> from unirank import CM, UniRank
    >>> from unirank.lab.simulation import follow_leader
    >>> history = follow_leader(UniRank(4, n_positions=2), CM([0.5, 0.4, 0.2, 0.1]), 100)
    >>> leader_history(history).get_size_inches().round(1).tolist()
    [3.3, 2.2]
    """
    if not isinstance(history, LeaderHistory):
        raise ArgumentError(
            f"history must be what simulation.follow_leader returns, got {history!r:.80}"
        )
    last = _in_line(history.leaders[-1])
    n_items, n_positions = len(last), history.n_positions
    side = min(max(ROW * n_items, LOWEST), TALLEST)
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        figure = optional("matplotlib.figure", "lab").Figure((COLUMN, side + 1.0), dpi=300)
        axes = figure.add_subplot(xscale="log", ylim=(n_items, 0))
        axes.set_title(f"Leader over time: {history.policy}, one game")
        edges = edges_of(history.rounds)
        places = places_of(history)
        axes.pcolormesh(edges, np.arange(n_items + 1), places, cmap=_colours(history.leaders[-1]))
        for leader, ends in zip(history.leaders, pairwise(edges), strict=True):
            borders = np.cumsum([len(group) for group in leader.groups])
            axes.hlines(borders, *ends, color=INK, linewidth=0.8)
        if n_positions < n_items:
            axes.axhline(n_positions, color="white", lw=1.5)
            axes.axhline(n_positions, color=INK, lw=1.2, ls=(0, (3, 1.5)))
        step = -(-n_items * 13 // round(side * 100))  # a line of text takes 0.13 inches
        shown = range(0, n_items, step)
        axes.set_yticks([n + 0.5 for n in shown if n < n_positions])
        axes.set_yticklabels([f"{n + 1}" for n in shown if n < n_positions])
        names, short = axes.secondary_yaxis("right"), short_names(history.items, 14)
        names.set_yticks([n + 0.5 for n in shown], [short[last[n]] for n in shown])
        for each in (axes, names):
            each.tick_params(axis="y", length=0)
            each.spines[:].set_visible(False)
        axes.set_ylabel("position", loc="top")
        axes.set_xlabel("rounds")
        figure.supxlabel(NOTES, x=0.02, ha="left", size=SMALL)
        if step == 1:
            _write_names(axes, edges, places[:n_positions], last)
        return drawn(figure, path)


def _in_line(leader: Leader) -> tuple[ItemId, ...]:
    return tuple(item for group in leader.groups for item in group) + leader.below


def places_of(history: LeaderHistory) -> NDArray[np.int64]:
    """Return, by place and checkpoint, the item there: its place at the end.

    Items of one group are in the order that they have at the end.
    """
    at_the_end = {item: n for n, item in enumerate(_in_line(history.leaders[-1]))}
    columns = [
        [
            n
            for group in (*leader.groups, leader.below)
            for n in sorted(map(at_the_end.__getitem__, group))
        ]
        for leader in history.leaders
    ]
    return np.array(columns, np.int64).T


def edges_of(rounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return where cells end: half-way, on a logarithmic axis, between two checkpoints."""
    if len(rounds) == 1:
        return rounds[0] * np.array([0.9, 1.1])
    between = np.sqrt(rounds[1:] * rounds[:-1].astype(np.float64))
    return np.concatenate((rounds[:1], between, rounds[-1:]))


def _colours(leader: Leader) -> Any:
    """Return a colour map of items: from dark to bright on the page, grey below it."""
    n_on_page = sum(map(len, leader.groups))
    scale = optional("matplotlib", "lab").colormaps["viridis"]
    colours = [scale(x) for x in np.linspace(0.05, 0.95, n_on_page)]
    colours += [BELOW[n % 2] for n in range(len(leader.below))]
    return optional("matplotlib.colors", "lab").ListedColormap(colours)


def _write_names(
    axes: Any, edges: NDArray[np.float64], places: NDArray[np.int64], items: tuple[ItemId, ...]
) -> None:
    """Write the items on the page into their bands, where these are long enough."""
    short = short_names(items, 14)
    whole = np.log(edges[-1] / edges[0])
    for row, here in enumerate(places.tolist()):
        starts = [n for n in range(len(here)) if n == 0 or here[n] != here[n - 1]]
        for start, end in pairwise([*starts, len(here)]):
            name = short[items[here[start]]]
            if np.log(edges[end] / edges[start]) / whole > LETTER * (len(name) + 1):
                x = np.sqrt(edges[start] * edges[end])
                look = {"ha": "center", "va": "center", "size": SMALL}
                halo = {"boxstyle": "square,pad=0.1", "facecolor": "#FFFFFFB0", "linewidth": 0}
                axes.text(x, row + 0.5, name, bbox=halo, **look)
