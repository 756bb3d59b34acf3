"""The leader: groups of tied items from the top of the page down, and how sure their order is.

Each arrow stands for the least sure pair of two groups that follow each other, of those of which
the policy's explanation gives evidence.
"""

from collections.abc import Mapping
from itertools import accumulate
from os import PathLike
from typing import Any

from unirank.extras import optional
from unirank.lab.plots.explained import explained
from unirank.lab.plots.leader_beliefs import draw_beliefs
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, FAINT, GREY, OPEN, PALE, SMALL, STYLE, SURE
from unirank.lab.plots.words import counted, listed, short_names, signed
from unirank.policies.base.explanation import Explanation, Pair, lacking
from unirank.policies.base.leader import ItemId, Leader
from unirank.policies.base.words import clicks

MOST_GROUPS = 12  # in a figure
LETTERS = 42  # in a group
IN_A_BOX, AT_AN_ARROW = 14, 10  # letters of a name
ROW = 0.5  # inches
WIDTHS = (0.7, 2.4)  # points of an arrow: without evidence, and with all that is needed
PAIRS = """blue: sure, even the lowest likely ŝ is not below 0
dashed: not sure yet; wider: more evidence
Each arrow: the least sure pair of the two groups.
ŝ: wins minus losses, over the clicks on just one of two."""
TIED = "All items are tied: no item is ahead of another yet."


def leader(policy: Any, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw the policy's leader: the order of its explanation.

    What the figure shows besides the order depends on what the policy explains. Where it believes
    something of each item, as MatchRank does, the figure has these intervals. Where it gives
    evidence of pairs, as UniRank does, arrows say which pair between two groups is the least sure,
    and how sure it is.

    Parameters
    ----------
    policy
        A policy whose explanation has an order.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    explanation, found = explained(policy, "order")
    if explanation.attraction:
        return drawn(draw_beliefs(policy, explanation, found), path)
    steps, notes = _steps(policy, explanation, found)
    rows = _rows(found, policy.n_positions, short_names(policy.items, IN_A_BOX))
    if len(found.groups) > MOST_GROUPS:
        n_left_out = len(found.groups) - MOST_GROUPS
        cut = slice(MOST_GROUPS - 1, len(found.groups) - 1)
        rows[cut] = [("", f"… {counted(n_left_out, 'more group')}, not drawn …")]
        steps[MOST_GROUPS - 2 : len(found.groups) - 1] = [None, None]
    with optional("matplotlib", "lab").rc_context(STYLE):
        height = len(rows) + 0.25 * (notes.count("\n") + 1)
        size = COLUMN, ROW * height + 0.3
        figure = optional("matplotlib.figure", "lab").Figure(size, dpi=300)
        axes = figure.add_subplot(xlim=(0, 1), ylim=(height - 0.5, -0.5))
        axes.set_axis_off()
        rounds = counted(policy.round, "round")
        axes.set_title(f"Leader of {type(policy).__name__} after {rounds}")
        names = short_names(policy.items, AT_AN_ARROW)
        boxes = [_draw_group(axes, y, *row) for y, row in enumerate(rows)]
        for y, step in enumerate(steps):
            if step is not None:
                _draw_step(
                    axes, y, boxes[y], boxes[y + 1], names, step, tried=_is_tried(step, explanation)
                )
        axes.text(0, len(rows) - 0.4, notes, va="top", color=GREY, size=SMALL)
        return drawn(figure, path)


def _steps(policy: Any, explanation: Explanation, found: Leader) -> tuple[list[Pair | None], str]:
    """Return the pair between each row and the next, and the notes."""
    if len(found.groups) == 1 and not found.below:
        return [], TIED
    if explanation.pairs is None:
        return [], f"{lacking(type(policy).__name__, 'pairs')}: there are no arrows."
    row_of = {item: row for row, group in enumerate(found.groups) for item in group}
    row_of.update(dict.fromkeys(found.below, len(found.groups)))
    steps: list[Pair | None] = [None] * max(row_of.values())
    for pair in reversed(explanation.pairs):  # so that the first of several is drawn
        if row_of.get(pair.behind) == row_of.get(pair.ahead, -2) + 1:
            steps[row_of[pair.ahead]] = pair
    new = {pair.note for pair in steps if pair is not None and pair.note}
    return steps, "\n".join([PAIRS, *(f"{note[0].upper()}{note[1:]}." for note in sorted(new))])


def _is_tried(pair: Pair, explanation: Explanation) -> bool:
    """Whether the next round may try the step that this pair stands for."""
    return any(
        step.tried and pair.ahead in step.ahead and pair.behind in step.behind
        for step in explanation.steps or ()
    )


def _rows(found: Leader, n_positions: int, names: Mapping[ItemId, str]) -> list[tuple[str, str]]:
    """Return the positions and the items of each group."""
    rows = []
    starts = [0, *accumulate(map(len, found.groups))]
    for start, group in zip(starts, found.groups, strict=False):
        end = min(start + len(group), n_positions)
        place = f"{start + 1} to {end}" if end > start + 1 else f"{end}"
        if end - start < len(group):
            place += f"\nfor {end - start} of {len(group)}"
        rows.append((place, listed(map(names.__getitem__, group), LETTERS)))
    if found.below:
        rows.append(("below\nthe page", listed(map(names.__getitem__, found.below), LETTERS)))
    return rows


def _draw_group(axes: Any, y: float, place: str, words: str) -> Any:
    axes.text(0, y, place, va="center", color=GREY, size=SMALL)
    look = {"facecolor": FAINT if place.startswith("below") else PALE, "edgecolor": GREY}
    frame = {"boxstyle": "round", "linewidth": 0.6, **look} if place else None
    return axes.text(0.23, y, words, va="center", bbox=frame).get_bbox_patch()


def _draw_step(
    axes: Any,
    y: float,
    above: Any,
    below: Any,
    names: Mapping[ItemId, str],
    pair: Pair,
    tried: bool,
) -> None:
    """Draw an arrow, wider with the evidence, and its pair in words."""
    share = min(abs(pair.strength), 1.0)
    look = {
        "arrowstyle": "-|>,head_width=0.15,head_length=0.3",
        "patchA": above,
        "patchB": below,
        "color": SURE if pair.decided else OPEN,
        "linestyle": "-" if pair.decided else (0, (2, 1)),
        "linewidth": WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0]),
    }
    axes.annotate("", (0.245, y + 1), (0.245, y), arrowprops=look)
    words = f"{names[pair.ahead]} beats {names[pair.behind]}: "
    words += f"{clicks(pair.wins)} of {clicks(pair.comparisons)}"
    if pair.comparisons:
        words += f"\nŝ {signed(2 * pair.wins / pair.comparisons - 1)}"
    if pair.low is not None:
        words += f", at least {signed(pair.low)}"
    if tried:
        words += "; tried next"
    axes.text(0.29, y + 0.5, words, va="center", size=SMALL, linespacing=1.1)
