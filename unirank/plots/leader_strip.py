"""The leader over time: who stood where, and with whom tied, as a game went on.

Each item is a band at its place; those of one group stand together in a dark frame, in the order
that they have at the end. Colours run from the best item at the end to the last on the page, so a
settled leader is a rainbow in order; items that end below the page are grey.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.plots.canvas import (
    INK,
    POINT,
    SMALL,
    canvas,
    ink_on,
    length_of,
    shortened,
    widest,
    write,
)
from unirank.plots.theme import COLUMN, STYLE
from unirank.policies.base.leader import ItemId, Leader
from unirank.simulation import LeaderHistory

ROW, TALLEST, LOWEST = 0.17, 4.5, 1.2  # inches of a place, and of all places
LEFT, TOP, BOTTOM, MARGIN, NOTE = 0.42, 0.24, 0.48, 0.06, 0.13
LONGEST = 0.7  # inches of a name
LINE = 1.1 * SMALL * POINT
BELOW = ("#C9C9C9", "#E0E0E0")  # in turn, so that neighbours differ
NOTES = (
    "In a dark frame: tied. Paler: no place on the page.",
    "Colours: the order at the end; grey: below the page then.",
)

Block = tuple[int, tuple[ItemId, ...], bool]  # first place, items, on the page


def leader_history(history: LeaderHistory) -> Any:
    """Draw the leaders that `simulation.follow_leader` noted; return the matplotlib figure.

    >>> from unirank import CM, UniRank
    >>> from unirank.simulation import follow_leader
    >>> history = follow_leader(UniRank(4, n_positions=2), CM([0.5, 0.4, 0.2, 0.1]), 100)
    >>> leader_history(history).get_size_inches().round(1).tolist()
    [3.3, 2.2]
    """
    if not isinstance(history, LeaderHistory):
        raise ArgumentError(
            f"history must be what simulation.follow_leader returns, got {history!r:.80}"
        )
    with optional("matplotlib", "lab").rc_context(STYLE):
        names = {item: shortened(str(item), LONGEST) for item in history.items}
        side = min(max(ROW * len(names), LOWEST), TALLEST)
        row = side / len(names)
        figure, axes = _places(history, side, widest(names.values()) + 2 * MARGIN)
        edges = edges_of(history.rounds)
        _scale(axes, history, edges, row)
        colours = colours_of(history.leaders[-1])
        for (first, last), block in runs(history):
            ends = float(edges[first]), float(edges[last + 1])
            draw_block(axes, *ends, block, colours)
            if row >= LINE:
                _name_inside(axes, ends, block, names, colours)
        _name_at_the_end(axes, history, names, row)
        return figure


def _in_line(leader: Leader) -> tuple[ItemId, ...]:
    return tuple(item for group in leader.groups for item in group) + leader.below


def blocks_of(leader: Leader, place_of: dict[ItemId, int]) -> list[Block]:
    """The groups by their first place, items inside as they end up."""
    groups = [(group, True) for group in leader.groups]
    groups += [(leader.below, False)] if leader.below else []
    starts = np.cumsum([0, *(len(group) for group, _ in groups)]).tolist()
    return [
        (start, tuple(sorted(group, key=place_of.__getitem__)), shown)
        for start, (group, shown) in zip(starts, groups, strict=False)
    ]


def runs(history: LeaderHistory) -> list[tuple[tuple[int, int], Block]]:
    """Each block with the first and the last of the checkpoints in a row at which it stood."""
    place_of = {item: n for n, item in enumerate(_in_line(history.leaders[-1]))}
    found: list[tuple[tuple[int, int], Block]] = []
    since: dict[Block, int] = {}
    for n, leader in enumerate(history.leaders):
        blocks = blocks_of(leader, place_of)
        for block in set(since) - set(blocks):
            found.append(((since.pop(block), n - 1), block))
        for block in blocks:
            since.setdefault(block, n)
    found += [((first, len(history.leaders) - 1), block) for block, first in since.items()]
    return sorted(found, key=lambda run: (run[0], run[1][0]))


def edges_of(rounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where cells end: half-way, on a logarithmic axis, between one checkpoint and the next."""
    if len(rounds) == 1:
        return rounds[0] * np.array([0.9, 1.1])
    between = np.sqrt(rounds[1:] * rounds[:-1].astype(np.float64))
    return np.concatenate((rounds[:1], between, rounds[-1:]))


def colours_of(leader: Leader) -> dict[ItemId, str]:
    """From dark to bright in the order of the page; tied items differ too."""
    colours = optional("matplotlib.colors", "lab")
    scale = optional("matplotlib", "lab").colormaps["viridis"]
    on_page = [item for group in leader.groups for item in group]
    found = {
        item: colours.to_hex(scale(0.05 + 0.9 * n / max(len(on_page) - 1, 1)))
        for n, item in enumerate(on_page)
    }
    return found | {item: BELOW[n % 2] for n, item in enumerate(leader.below)}


def _places(history: LeaderHistory, side: float, right: float) -> tuple[Any, Any]:
    height = TOP + side + BOTTOM + NOTE * len(NOTES)
    figure, page = canvas(COLUMN, height)
    title = f"Leader over time: {history.policy}, one game"
    write(page, MARGIN, 0.11, title, size=STYLE["axes.titlesize"], weight="bold")
    for n, words in enumerate(NOTES):
        write(page, MARGIN, TOP + side + BOTTOM + n * NOTE, words)
    width = (COLUMN - LEFT - right) / COLUMN
    axes = figure.add_axes(
        (LEFT / COLUMN, 1 - (TOP + side) / height, width, side / height), xscale="log"
    )
    return figure, axes


def _scale(axes: Any, history: LeaderHistory, edges: NDArray[np.float64], row: float) -> None:
    """Rounds from left to right, places from the top down, those on the page numbered."""
    n_items, n_positions = len(history.items), history.n_positions
    axes.set(xlim=(edges[0], edges[-1]), ylim=(n_items, 0), xlabel="rounds")
    axes.set_ylabel("position", loc="top")
    if len(history.rounds) == 1:
        axes.set_xticks(history.rounds, [f"{history.rounds[0]:,}"])
        axes.minorticks_off()
    step = max(int(np.ceil(LINE / row)), 1)
    shown = range(0, n_positions, step)
    axes.set_yticks([place + 0.5 for place in shown], [str(place + 1) for place in shown])
    axes.tick_params(axis="y", length=0)
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    if n_positions < n_items:
        axes.axhline(n_positions, color=INK, lw=0.9, ls=(0, (4, 2)), zorder=5)


def draw_block(
    axes: Any, left: float, right: float, block: Block, colours: dict[ItemId, str]
) -> None:
    """Bands of the items of a group, and a frame around them."""
    patches = optional("matplotlib.patches", "lab")
    start, items, on_page = block
    width = right - left
    for n, item in enumerate(items):
        look = {"facecolor": colours[item], "alpha": 1.0 if on_page else 0.4, "gid": f"{item}"}
        axes.add_patch(patches.Rectangle((left, start + n), width, 1, linewidth=0, **look))
    tied = len(items) > 1 and on_page
    look = {"fill": False, "linewidth": 0.8, "gid": "tied" if tied else "alone"}
    look |= {"edgecolor": INK, "zorder": 3} if tied else {"edgecolor": "white", "zorder": 2}
    axes.add_patch(patches.Rectangle((left, start), width, len(items), **look))


def _name_inside(
    axes: Any, ends: tuple[float, float], block: Block, names: dict[ItemId, str], colours: Any
) -> None:
    """The items' names in their bands, where these are long enough."""
    start, items, on_page = block
    low, high = axes.get_xlim()
    inches = axes.get_position().width * COLUMN / np.log(high / low)
    room = np.log(ends[1] / ends[0]) * inches
    for n, item in enumerate(items):
        if length_of(names[item]) + 0.06 <= room:
            ink = ink_on(colours[item]) if on_page else INK
            x = float(np.sqrt(ends[0] * ends[1]))
            write(axes, x, start + n + 0.5, names[item], ha="center", color=ink, zorder=6)


def _name_at_the_end(
    axes: Any, history: LeaderHistory, names: dict[ItemId, str], row: float
) -> None:
    """Who stands where in the end, as many as there is room for."""
    step = max(int(np.ceil(LINE / row)), 1)
    for place, item in list(enumerate(_in_line(history.leaders[-1])))[::step]:
        words = {"xycoords": ("axes fraction", "data"), "va": "center", "size": SMALL}
        axes.annotate(
            names[item], (1, place + 0.5), (MARGIN / POINT, 0), textcoords="offset points",
            annotation_clip=False, parse_math=False, **words,
        )  # fmt: skip
