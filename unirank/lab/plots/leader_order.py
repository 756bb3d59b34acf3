"""The leader: groups of tied items from the top of the page down, and how sure their order is.

Each arrow stands for the least sure pair of two groups that follow each other: i ahead of j, where
j has the largest index. The order is sure when that index is not above 0.
"""

from collections.abc import Mapping
from itertools import accumulate
from os import PathLike
from typing import Any

from unirank.extras import optional
from unirank.lab.plots.leader_beliefs import draw_beliefs
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, FAINT, GREY, OPEN, PALE, SMALL, STYLE, SURE
from unirank.lab.plots.words import counted, listed, short_names, signed
from unirank.policies.base.leader import ItemId, Leader, leader_of
from unirank.policies.match_rank.policy import MatchRank
from unirank.policies.uni_rank.explanation import Neighbour
from unirank.policies.uni_rank.pairs import budget_of, evidence_of
from unirank.policies.uni_rank.policy import UniRank

MOST_GROUPS = 12  # in a figure
LETTERS = 42  # in a group
IN_A_BOX, AT_AN_ARROW = 14, 10  # letters of a name
ROW = 0.5  # inches
WIDTHS = (0.7, 2.4)  # points of an arrow: without evidence, and with all that is needed
PAIRS = """blue: sure, even the lowest likely ŝ is not below 0
dashed: not sure yet; wider: more evidence
Each arrow: the least sure pair of the two groups.
ŝ: wins minus losses, over the clicks on just one of two."""
NEW = "\nThis leader is new: it is too early to be sure."
LISTS = "This policy compares whole lists: there are no pairs to draw."
TIED = "All items are tied: no item is ahead of another yet."


def leader(policy: Any, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw the policy's leader.

    UniRank also says which pair between two groups is the least sure, and how sure it is. GRAB,
    S-GRAB and OSUB compare whole lists: they have no arrows. MatchRank shows what its model
    believes of each item and position; `plots.pair_tests` draws its comparisons of pairs.

    Parameters
    ----------
    policy
        A policy that has a leader.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    if isinstance(policy, MatchRank):
        return drawn(draw_beliefs(policy), path)
    found, steps, notes = _steps(policy, leader_of(policy))
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
        boxes = [_draw_group(axes, y, *row) for y, row in enumerate(rows)]
        for y, step in enumerate(steps):
            if step is not None:
                _draw_step(axes, y, boxes[y], boxes[y + 1], policy, step)
        axes.text(0, len(rows) - 0.4, notes, va="top", color=GREY, size=SMALL)
        return drawn(figure, path)


def _steps(policy: Any, found: Leader) -> tuple[Leader, list[Neighbour | None], str]:
    """Return the leader to draw, the step between each row and the next, and the notes."""
    if not isinstance(policy, UniRank):
        return found, [], LISTS if len(found.groups) > 1 else TIED
    neighbours = policy.explain().neighbours
    n_merges = len(found.groups) - 1
    steps: list[Neighbour | None] = list(neighbours[:n_merges])
    if found.below:  # the closest item comes first, and the arrow goes to it
        closest = sorted(neighbours[n_merges:], key=lambda step: -step.index)
        found = Leader(found.groups, tuple(step.behind[0] for step in closest))
        steps.append(closest[0])
    return found, steps, (PAIRS + NEW * (budget_of(policy) <= 0)) if steps else TIED


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
    axes: Any, y: float, above: Any, below: Any, policy: UniRank, step: Neighbour
) -> Any:
    """Draw an arrow, wider with the evidence, and its pair in words."""
    budget = budget_of(policy)
    share = min(evidence_of(step.wins, step.comparisons) / budget, 1.0) if budget > 0 else 0.0
    sure = budget > 0 and step.index <= 0
    look = {
        "arrowstyle": "-|>,head_width=0.15,head_length=0.3",
        "patchA": above,
        "patchB": below,
        "color": SURE if sure else OPEN,
        "linestyle": "-" if sure else (0, (2, 1)),
        "linewidth": WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0]),
    }
    axes.annotate("", (0.245, y + 1), (0.245, y), arrowprops=look)
    names = short_names(policy.items, AT_AN_ARROW)
    words = f"{names[step.rival]} beats {names[step.item]}: "
    words += f"{step.comparisons - step.wins:,} of {step.comparisons:,}"
    words += f"\nŝ {signed(1 - 2 * step.wins / step.comparisons)}"
    if budget > 0:
        words += f", at least {signed(-step.index)}"
    if step in policy.explain().trying:
        words += "; tried next"
    axes.text(0.29, y + 0.5, words, va="center", size=SMALL, linespacing=1.1)
