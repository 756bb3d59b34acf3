"""Pairs of items: who wins against whom, on how many clicks, and where that is sure.

Rows and columns are the items in the leader's order. Numbers are written where they fit: the figure
is as wide as a column of text, or up to a page if that makes room for them.
"""

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.extras import optional
from unirank.plots.canvas import (
    INK,
    MINUS,
    OPEN,
    POINT,
    SMALL,
    SURE,
    canvas,
    ink_on,
    shortened,
    widest,
    write,
)
from unirank.plots.theme import COLUMN, PAGE, STYLE
from unirank.policies.base.leader import Leader, leader_of
from unirank.policies.uni_rank.pairs import Pairs, pairs_of

UNSEEN = "#D0D0D0"  # no click differed yet
LONGEST, LARGEST, NARROWEST = 0.7, 0.62, 2.3  # inches of a name, of a cell, of a table of few
LINE = 1.15 * SMALL * POINT
TITLE, MARGIN, BAR, NOTE = 0.24, 0.08, 0.08, 0.13  # inches
NOTES = (
    "ŝ: wins minus losses, over the clicks on just one of the two.",
    "Framed: sure, the likely values of ŝ are all on one side of 0.",
    "On the diagonal, squares are ties. Dashed: end of the page.",
    "Grey: nobody clicked on just one of the two yet.",
)


def pairs(policy: Any) -> Any:
    """Draw what UniRank knows of each pair of items; return the matplotlib figure."""
    known, leader = pairs_of(policy), leader_of(policy)
    items = [item for group in leader.groups for item in group] + list(leader.below)
    known = known.in_order([policy.items.index(item) for item in items])
    names = [shortened(str(item), LONGEST) for item in items]
    rounds = f"{policy.round:,} round{'s' * (policy.round != 1)}"
    with optional("matplotlib", "lab").rc_context(STYLE):
        words = words_of(known)
        plan = planned(names, words)
        figure, axes = _places(f"What UniRank knows of pairs, {rounds}", plan)
        draw_cells(figure, axes, known)
        if plan.written:
            write_numbers(axes, known, words)
        name_items(axes, names, plan)
        part_groups(axes, leader)
        return figure


class Plan(NamedTuple):
    """Inches of the parts of the figure."""

    width: float
    side: float  # of the table
    left: float
    top: float
    cell: float
    written: bool  # numbers fit into cells
    turned: bool  # names stand upright above columns


def planned(names: Sequence[str], words: NDArray[Any]) -> Plan:
    n_items, longest = len(names), widest(names)
    left = longest + MARGIN + 1.5 * LINE
    inside = widest({line for cell in words.ravel() for line in cell.split("\n")})
    needed = max(inside, 2 * LINE) + 3 * POINT
    cell = min((COLUMN - left - MARGIN) / n_items, max(LARGEST, NARROWEST / n_items))
    if needed * n_items + left + MARGIN <= PAGE:
        cell = max(cell, needed)
    turned = longest > cell
    top = TITLE + 1.2 * LINE + (longest if turned else LINE) + 0.04
    side = cell * n_items
    width = max(COLUMN, left + side + MARGIN)
    return Plan(width, side, left, top, cell, cell >= needed, turned)


def _places(title: str, plan: Plan) -> tuple[Any, Any]:
    """The figure with its words, and the axes of the table."""
    bottom = plan.top + plan.side
    height = bottom + 0.42 + NOTE * len(NOTES)
    figure, page = canvas(plan.width, height)
    write(page, MARGIN, 0.11, title, size=STYLE["axes.titlesize"], weight="bold")
    write(page, MARGIN + LINE / 2, bottom - plan.side / 2, "row", rotation=90, ha="center")
    write(page, plan.left + plan.side / 2, TITLE + LINE / 2, "against column", ha="center")
    left, width = plan.left / plan.width, plan.side / plan.width
    axes = figure.add_axes((left, 1 - bottom / height, width, plan.side / height))
    figure.add_axes((left, 1 - (bottom + 0.14) / height, width, BAR / height))
    for place, words in enumerate(NOTES):
        write(page, MARGIN, bottom + 0.42 + place * NOTE, words)
    return figure, axes


def draw_cells(figure: Any, axes: Any, known: Pairs) -> None:
    """Colours, frames of what is sure, and the bar that says what colours mean."""
    colours = optional("matplotlib.colors", "lab")
    patches = optional("matplotlib.patches", "lab")
    scale = colours.LinearSegmentedColormap.from_list("wins", [OPEN, "#FFFFFF", SURE])
    look = {"cmap": scale.with_extremes(bad=UNSEEN), "vmin": -1, "vmax": 1}
    image = axes.imshow(known.difference, aspect="auto", **look)
    for row in range(len(known.difference)):
        corner = (row - 0.5, row - 0.5)
        axes.add_patch(patches.Rectangle(corner, 1, 1, facecolor="white", gid="diagonal"))
    for row, column in np.argwhere(known.sure).tolist():
        look = {"fill": False, "edgecolor": INK, "linewidth": 0.9, "gid": "sure"}
        axes.add_patch(patches.Rectangle((column - 0.43, row - 0.43), 0.86, 0.86, **look))
    bar = figure.colorbar(image, cax=figure.axes[-1], orientation="horizontal")
    bar.set_ticks([-1, 0, 1], labels=[f"ŝ = {MINUS}1, column wins", "0, even", "+1, row wins"])
    for label, side in zip(bar.ax.get_xticklabels(), ("left", "center", "right"), strict=True):
        label.set_horizontalalignment(side)


def words_of(known: Pairs) -> NDArray[Any]:
    """What each cell says: the difference, and below it the number of comparisons."""
    words = np.full(known.difference.shape, "", dtype=object)
    for row, column in np.argwhere(known.comparisons > 0).tolist():
        difference, count = known.difference[row, column], int(known.comparisons[row, column])
        words[row, column] = f"{short(difference)}\n{counted(count)}"
    return words


def write_numbers(axes: Any, known: Pairs, words: NDArray[Any]) -> None:
    (image,) = axes.images
    for row, column in np.argwhere(known.comparisons > 0).tolist():
        colour = ink_on(image.to_rgba(known.difference[row, column])[:3])
        write(axes, column, row, words[row, column], ha="center", color=colour)


def short(difference: float) -> str:
    """Two digits with a sign, and no zero before the point: room is scarce."""
    words = f"{difference:+.2f}".replace("0.", ".").replace("1.00", "1")
    return "0" if words[1:] == ".00" else words.replace("-", MINUS)


def counted(number: int) -> str:
    """A count in at most four letters, up to a billion."""
    for unit, size in (("", 1), ("k", 1_000), ("M", 1_000_000)):
        if number < 999.5 * size:
            digits = 1 if size > 1 and number < 9.95 * size else 0
            return f"{number / size:.{digits}f}{unit}"
    return f"{number / 1e9:.0f}G"


def name_items(axes: Any, names: Sequence[str], plan: Plan) -> None:
    """Names at both edges: every one, or as many as there is room for."""
    places = range(0, len(names), ceil(LINE / plan.cell))
    shown = [names[place].replace("$", r"\$") for place in places]
    axes.xaxis.tick_top()
    axes.set_xticks(places, shown, rotation=90 if plan.turned else 0)
    axes.set_yticks(places, shown)
    axes.tick_params(length=0, pad=2)
    axes.grid(False)
    axes.spines[:].set_visible(False)


def part_groups(axes: Any, leader: Leader) -> None:
    """A square around those who are tied, and where the page ends."""
    patches = optional("matplotlib.patches", "lab")
    start = 0
    for group in leader.groups:
        if len(group) > 1:
            look = {"fill": False, "edgecolor": INK, "linewidth": 1.4, "gid": "tied"}
            corner = (start - 0.5, start - 0.5)
            axes.add_patch(patches.Rectangle(corner, len(group), len(group), **look))
        start += len(group)
    if leader.below:
        line = {"color": INK, "linewidth": 0.8, "linestyle": (0, (4, 2))}
        axes.axhline(start - 0.5, **line)
        axes.axvline(start - 0.5, **line)
