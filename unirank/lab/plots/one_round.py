"""One round, step by step: from the signs of pairs to the list that is shown.

A copy of the policy plays the round; the policy itself does not change. Without a policy it is the
UniRank paper's Figure 1, corrected: 7 items, 4 positions, and the second neighbour has the largest
index.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, isnan, pi, sin
from os import PathLike
from textwrap import fill
from typing import Any

import numpy as np

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.plots.explained import explained
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import FAINT, GREY, INK, OPEN, PALE, STYLE
from unirank.lab.plots.words import short_name, signed
from unirank.policies import Policy, UniRank
from unirank.policies.base.explanation import Explanation, Step
from unirank.policies.base.leader import ItemId, Leader

MOST_ITEMS = 12
UNIT = 0.27  # inches of an item
GAP = 0.3  # units between groups
RADIUS = 2.7  # units of the circle of items
EXPLORE = "#FBE6D9"  # a group that is new
PAPER_WINS = {
    (1, 2): (6, 6), (1, 3): (19, 5), (1, 4): (9, 1), (1, 5): (8, 1), (1, 6): (5, 0),
    (1, 7): (6, 0), (2, 3): (17, 6), (2, 4): (8, 1), (2, 5): (7, 2), (2, 6): (5, 0),
    (2, 7): (4, 0), (3, 4): (9, 6), (3, 5): (12, 6), (3, 6): (9, 2), (3, 7): (8, 2),
    (4, 5): (7, 7), (4, 6): (24, 3), (4, 7): (17, 3), (5, 6): (20, 2), (5, 7): (13, 4),
    (6, 7): (2, 4),
}  # fmt: skip

LINE = 60  # letters of an explanation


@dataclass(frozen=True)
class Partition:
    """Groups from the top of the page down, and the items below the page."""

    groups: tuple[tuple[ItemId, ...], ...]
    below: tuple[ItemId, ...]

    def after(self, step: Step) -> "Partition":
        """The partition one step away."""
        new = joined_by(step)
        groups = [group for group in self.groups if group not in (step.ahead, step.behind)]
        groups.insert(self.groups.index(step.ahead), new)
        return Partition(tuple(groups), tuple(item for item in self.below if item not in new))

    def gives(self, ranking: Iterable[ItemId]) -> bool:
        """Whether the list respects the groups."""
        place_of = {item: place for place, group in enumerate(self.groups) for item in group}
        places = [place_of.get(item, len(self.groups)) for item in ranking]
        spans = [place for place, group in enumerate(self.groups) for _ in group]
        return places == spans[: len(places)]


def joined_by(step: Step) -> tuple[ItemId, ...]:
    """The group that a step makes."""
    return (*step.ahead, *step.behind)


def iteration(policy: Any = None, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw the next round of a policy of at most 12 items.

    Parameters
    ----------
    policy
        A policy whose explanation has the steps away from its order, as that of UniRank; by default
        a UniRank in the state of the paper's example.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    policy = paper_example() if policy is None else policy
    for part in ("order", "table", "steps"):
        found, _ = explained(policy, part)
    if policy.n_items > MOST_ITEMS:
        raise ArgumentError(
            f"policy must have at most {MOST_ITEMS} items for a drawing of its round, "
            f"got {policy.n_items}; plots.leader draws more"
        )
    with optional("matplotlib", "lab").rc_context(STYLE):
        return drawn(_Drawing(policy, found).figure, path)


def paper_example() -> UniRank:
    """Return the paper's Figure 1 after its errata: groups {1, 2} {3} {4, 5}, and 6, 7 below.

    1 and 2 are even, and so are 4 and 5. The seed makes it show (2, 1, 3, 5), as in the paper.
    """
    wins = np.zeros((7, 7), np.int64)
    for (i, j), (won, lost) in PAPER_WINS.items():
        wins[i - 1, j - 1], wins[j - 1, i - 1] = won, lost
    policy = UniRank(range(1, 8), n_positions=4, seed=5)
    none = {"leader_keys": np.zeros(0, np.uint64), "leader_counts": np.zeros(0, np.int64)}
    policy.restore({"wins": wins, **none})
    _ = policy.leader  # the table of leaders now has it
    policy.state.leader_counts[policy.state.now["place"][0]] = 20
    return policy


class _Drawing:
    """The figure, from the top; `y` is the height used so far, in units of an item."""

    def __init__(self, policy: Policy, found: Explanation) -> None:
        self.policy, self.found = policy, found
        self.numbers = {item: number for number, item in enumerate(policy.items)}
        order = found.order or Leader((), ())
        self.leader = Partition(order.groups, self.in_line(order.below))
        self.figure = optional("matplotlib.figure", "lab").Figure(dpi=300, layout="none")
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.y = 0.0
        self.draw_signs()
        self.draw_rounds()
        width = max(policy.n_items + GAP * len(order.groups) + 4, 12.5)
        self.axes.set(xlim=(-0.3, width - 0.3), ylim=(self.y, 0))
        self.figure.set_size_inches(UNIT * width, UNIT * self.y)

    def in_line(self, items: Iterable[ItemId]) -> tuple[ItemId, ...]:
        """The items as the policy numbers them."""
        return tuple(sorted(items, key=self.numbers.__getitem__))

    def title(self, words: str, more: str = "") -> None:
        self.axes.text(0, self.y + 0.4, words, weight="bold", va="center")
        for line in more.splitlines():
            self.y += 0.55
            self.axes.text(0.3, self.y + 0.4, line, color=GREY, va="center")
        self.y += 1.2

    def draw_signs(self) -> None:
        """Draw the items on a circle, with an arrow from each to those it beats."""
        self.title("1  Who is ahead of whom (dotted: even so far)")
        table = self.found.table
        items = self.in_line(table.items) if table else ()
        turns = [2 * pi * n / len(items) for n in range(len(items))]
        middle = RADIUS + 0.5
        places = [(middle + RADIUS * sin(t), self.y + RADIUS * (1 - cos(t))) for t in turns]
        nodes = []
        for item, place in zip(items, places, strict=True):
            face = FAINT if item in self.leader.below else PALE
            look = {"boxstyle": "circle,pad=0.25", "facecolor": face, "linewidth": 0.6}
            text = self.axes.text(*place, short_name(item, 4), ha="center", va="center", bbox=look)
            nodes.append(text.get_bbox_patch())
        rows = [table.items.index(item) for item in items] if table else []
        wins = table.wins[np.ix_(rows, rows)] if table else np.zeros((0, 0))
        for i, j in combinations(range(len(items)), 2):
            even = wins[i, j] == wins[j, i]
            ahead, behind = (i, j) if wins[i, j] >= wins[j, i] else (j, i)
            look = {
                "arrowstyle": "-" if even else "-|>,head_width=0.12,head_length=0.3",
                "color": OPEN if even else "#555555",
                "linestyle": (0, (1, 1.5)) if even else "-",
                "linewidth": 0.6,
                "patchA": nodes[ahead],
                "patchB": nodes[behind],
            }
            self.axes.annotate("", places[behind], places[ahead], arrowprops=look)
        self.y += 2 * RADIUS + 0.8

    def draw_rounds(self) -> None:
        """Draw the leader, its neighbours with their indices, what is played and what is shown."""
        steps = self.found.steps or ()
        self.title("2  Leader", f"{fill(self.found.about_order, LINE)}\ngrey: below the page")
        self.draw_groups(self.leader)
        more = "two groups in one, or one more item on the page;\nthe index: how far ahead "
        more += "those behind may be, at most"
        self.title("3  Neighbours", more if steps else "none: all items are tied")
        for step in steps:
            words = f"{signed(step.index)}{', largest' * step.tried}"
            look = {"color": OPEN if step.index > 0 else INK, "va": "center"}
            x = self.policy.n_items + GAP * len(self.leader.groups) + 0.5
            self.axes.text(x, self.y, words, weight="bold" if step.tried else "normal", **look)
            self.draw_groups(self.leader.after(step), joined_by(step))
        shown = type(self.policy).from_saved(self.policy.to_saved()).rank()
        played = [step for step in steps if step.tried and self.leader.after(step).gives(shown)]
        if not played:
            self.title("4  Played", "the leader: no index is above 0")
            self.draw_groups(self.leader)
        else:
            more = "the neighbour of largest index"
            if len(played) > 1:
                more = f"one of {len(played)} neighbours of largest index that give this list"
            self.title("4  Played", more)
            self.draw_groups(self.leader.after(played[0]), joined_by(played[0]))
        more = "groups in random order"
        if not isnan(shown.propensity):
            more += f"; the chance of this list is 1 in {1 / shown.propensity:,.4g}"
        self.title("5  Shown", more)
        self.draw_groups(Partition(tuple((item,) for item in shown.items), ()))

    def draw_groups(self, partition: Partition, new: Sequence[ItemId] = ()) -> None:
        """Draw groups from left to right, and the items below the page behind them."""
        patches = optional("matplotlib.patches", "lab")
        x, below = 0.0, partition.below
        for group in [*partition.groups, below] if below else partition.groups:
            look: dict[str, Any] = {"facecolor": EXPLORE if set(group) == set(new) else PALE}
            if group is below:
                look = {"facecolor": FAINT, "edgecolor": GREY, "linestyle": (0, (3, 2))}
            corner, style = (x, self.y - 0.4), "round,pad=0,rounding_size=0.2"
            frame = patches.FancyBboxPatch(corner, len(group), 0.8, boxstyle=style, **look)
            self.axes.add_patch(frame)
            for n, item in enumerate(group):
                name = short_name(item, 4)
                self.axes.text(x + n + 0.5, self.y, name, ha="center", va="center")
            x += len(group) + GAP
        self.y += 1.0
