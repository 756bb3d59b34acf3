"""Pairs of items: who wins against whom, on how many clicks, and where that is sure."""

from os import PathLike
from typing import Any

import numpy as np

from unirank.extras import optional
from unirank.lab.plots.explained import explained
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, INK, OPEN, PAGE, SMALL, STYLE, SURE
from unirank.lab.plots.words import MINUS, counted, short_count, short_names, signed
from unirank.policies.base.leader import Leader

UNSEEN = "#D0D0D0"  # no click differed yet
CELL, MOST_WRITTEN = 0.32, 18  # inches of a cell with numbers, and items up to which it has some
NOTES = """ŝ: wins minus losses, over the clicks on just one of the two.
Framed: sure, the likely values of ŝ are all on one side of 0.
Squares on the diagonal are ties. Dashed: end of the page.
Grey: nobody clicked on just one of the two yet."""


def pairs(policy: Any, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw what a policy knows of each pair of items, in the order that it explains.

    Parameters
    ----------
    policy
        A policy whose explanation has a table of every pair, such as UniRank.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    explanation, known = explained(policy, "table")
    leader, items = explanation.order or Leader((), known.items), known.items
    left_out = policy.n_items - len(policy.removed) - len(items)
    notes = NOTES + f"\nNot drawn: {counted(left_out, 'more item')}." * bool(left_out)
    n_items, written = len(items), len(items) <= MOST_WRITTEN
    width = min(max(COLUMN, CELL * n_items + 1.0), PAGE) if written else COLUMN
    colours, patches = optional("matplotlib.colors", "lab"), optional("matplotlib.patches", "lab")
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        figure = optional("matplotlib.figure", "lab").Figure((width, width + 0.8), dpi=300)
        axes = figure.add_subplot()
        figure.suptitle(
            f"What {type(policy).__name__} knows of pairs, {counted(policy.round, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        scale = colours.LinearSegmentedColormap.from_list("wins", [OPEN, "#FFFFFF", SURE])
        difference, comparisons = known.difference, known.comparisons
        image = axes.imshow(difference, cmap=scale.with_extremes(bad=UNSEEN), vmin=-1, vmax=1)

        def frame(place: tuple[float, float], size: float, kind: str, **look: Any) -> None:
            corner = place[0] - 0.5, place[1] - 0.5
            axes.add_patch(patches.Rectangle(corner, size, size, gid=kind, **look))

        for n in range(n_items):
            frame((n, n), 1, "diagonal", facecolor="white")
        for row, column in np.argwhere(known.decided).tolist():
            look = {"fill": False, "edgecolor": INK, "linewidth": 0.9}
            frame((column + 0.07, row + 0.07), 0.86, "sure", **look)
        start = 0
        for group in leader.groups:
            if len(group) > 1:
                frame((start, start), len(group), "tied", fill=False, edgecolor=INK, linewidth=1.4)
            start += len(group)
        if leader.below:
            for line in (axes.axhline, axes.axvline):
                line(start - 0.5, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
        for row, column in np.argwhere(comparisons > 0).tolist() if written else ():
            value, count = difference[row, column], int(comparisons[row, column])
            ink = "white" if value > 0.7 else INK
            words = f"{signed(value)}\n{short_count(count)}"
            axes.text(column, row, words, ha="center", va="center", color=ink, size=SMALL)
        shown = range(0, n_items, -(-n_items // 24))
        short = short_names(items, 12)
        names = [short[items[n]] for n in shown]
        turned = 0.07 * max(map(len, names)) > CELL
        axes.xaxis.tick_top()
        axes.set_xticks(shown, names, rotation=90 if turned else 0)
        axes.set_yticks(shown, names)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.xaxis.set_label_position("top")
        axes.set(xlabel="against column", ylabel="row")
        bar = figure.colorbar(image, orientation="horizontal", shrink=0.7, aspect=40, pad=0.02)
        bar.set_ticks([-1, 0, 1], labels=[f"ŝ = {MINUS}1, column wins", "0", "+1, row wins"])
        figure.supxlabel(notes, x=0.02, ha="left", size=SMALL)
        return drawn(figure, path)
