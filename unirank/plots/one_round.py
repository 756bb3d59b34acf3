"""One round of UniRank, step by step: from the signs of pairs to the list that is shown.

Drawn from the policy itself: a copy of it plays the round, and the one that is given stays as it
was. Without a policy it is the paper's Figure 1, corrected: 7 items, 4 positions, and the second
neighbour has the largest index.
"""

from collections.abc import Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.plots.canvas import (
    FAINT,
    GREY,
    INK,
    OPEN,
    PALE,
    POINT,
    arrow,
    box,
    canvas,
    cropped,
    frame,
    shortened,
    write,
)
from unirank.plots.leader_steps import signed
from unirank.plots.theme import COLUMN, STYLE
from unirank.plots.worked_example import worked_example
from unirank.policies.base.leader import ItemId, leader_of
from unirank.policies.uni_rank.policy import UniRank

MOST_ITEMS = 12
MARGIN, INDENT, HEAD, ROW = 0.06, 0.14, 0.2, 0.26  # inches
RADIUS, NODE = 0.72, 0.13
INDEX = 0.78  # inches for the words on a neighbour
WIDEST = 0.3  # inches of an item
EXPLORE = "#FBE6D9"  # a group that is new
LINK: dict[str, Any] = {"color": "#555555"}
EVEN: dict[str, Any] = {"color": OPEN, "arrowstyle": "-", "linestyle": (0, (1, 1.5))}

Groups = Sequence[Sequence[ItemId]]


def iteration(policy: Any = None) -> Any:
    """Draw the next round of a UniRank of at most 12 items; return the matplotlib figure."""
    policy = worked_example() if policy is None else policy
    if not isinstance(policy, UniRank):
        raise ArgumentError(f"policy must be UniRank, got {policy!r:.80}")
    if policy.n_items > MOST_ITEMS:
        raise ArgumentError(
            f"policy must have at most {MOST_ITEMS} items for a drawing of its round, "
            f"got {policy.n_items}; plots.leader draws more"
        )
    with optional("matplotlib", "lab").rc_context(STYLE):
        return _Drawing(policy).figure


class _Drawing:
    """The figure, drawn from the top; `y` is how far it has come."""

    def __init__(self, policy: UniRank) -> None:
        self.policy = policy
        self.copy = type(policy).from_saved(policy.to_saved())
        self.leader = leader_of(policy)
        self.figure, self.axes = canvas(COLUMN, 20.0)
        n_groups = len(self.leader.groups) + 1
        self.gap = 0.08 if n_groups <= 6 else 0.035
        room = COLUMN - INDENT - INDEX - n_groups * self.gap
        self.unit = min(room / policy.n_items, WIDEST)
        self.y = MARGIN
        self.draw_signs()
        self.draw_leader()
        self.draw_neighbours()
        self.draw_round()
        cropped(self.figure, self.axes, self.y)

    def title(self, words: str, more: str = "") -> None:
        write(self.axes, MARGIN, self.y + HEAD / 2, words, weight="bold", size=7.5)
        self.y += HEAD
        for line in more.splitlines():
            write(self.axes, INDENT, self.y + 0.05, line, color=GREY)
            self.y += 0.13
        self.y += 0.02

    def draw_signs(self) -> None:
        """Items on a circle, an arrow from each to those it beats."""
        self.title("1  Who is ahead of whom")
        wins, n_items = self.policy.state.wins, self.policy.n_items
        centre = INDENT + RADIUS + NODE, self.y + RADIUS + NODE
        turns = [2 * pi * n / n_items for n in range(n_items)]
        places = [(centre[0] + RADIUS * sin(t), centre[1] - RADIUS * cos(t)) for t in turns]
        for i, j in combinations(range(n_items), 2):
            ahead, behind = (i, j) if wins[i, j] >= wins[j, i] else (j, i)
            look = EVEN if wins[i, j] == wins[j, i] else LINK
            look = {"shrinkA": NODE / POINT, "shrinkB": NODE / POINT, "linewidth": 0.6, **look}
            arrow(self.axes, places[ahead], places[behind], mutation_scale=5, **look)
        patches = optional("matplotlib.patches", "lab")
        for place, item in zip(places, self.policy.items, strict=True):
            face = FAINT if item in self.leader.below else PALE
            look = {"facecolor": face, "edgecolor": INK, "linewidth": 0.6, "zorder": 3}
            self.axes.add_patch(patches.Circle(place, NODE, **look))
            self.name(item, *place, 2 * NODE)
        self.write_key(2 * (INDENT + RADIUS + NODE), centre[1])
        self.y += 2 * (RADIUS + NODE) + 0.05

    def write_key(self, x: float, y: float) -> None:
        for look, words in ((LINK, "has won more often"), (EVEN, "even so far")):
            arrow(self.axes, (x, y), (x + 0.3, y), linewidth=0.6, mutation_scale=5, **look)
            write(self.axes, x + 0.38, y, words)
            y += 0.18

    def name(self, item: ItemId, x: float, y: float, room: float) -> None:
        words = shortened(str(item), room - 0.02)
        write(self.axes, x, y, words, ha="center", va="center_baseline", zorder=4)

    def draw_leader(self) -> None:
        n_positions = self.policy.n_positions
        more = (
            "the smallest groups of which all are ahead of all behind,\n"
            f"until they fill {n_positions} positions; grey: below the page"
        )
        self.title("2  Leader", more)
        self.draw_groups(self.leader.groups, self.leader.below)
        self.y += ROW

    def draw_groups(
        self, groups: Groups, below: Sequence[ItemId], new: Sequence[ItemId] = ()
    ) -> None:
        """Groups from left to right, what is below the page behind them."""
        x = INDENT
        for group in [*groups, below]:
            if not group:
                continue
            width = len(group) * self.unit
            look: dict[str, Any] = {"facecolor": EXPLORE if set(group) == set(new) else PALE}
            if group is below:
                look = {"facecolor": FAINT, "edgecolor": GREY, "linestyle": (0, (3, 2))}
            frame(self.axes, x, self.y, width, ROW - 0.07, **look)
            for n, item in enumerate(group):
                self.name(item, x + (n + 0.5) * self.unit, self.y + (ROW - 0.07) / 2, self.unit)
            x += width + self.gap

    def draw_neighbours(self) -> None:
        """One row for each neighbour: its groups, and its index."""
        explanation = self.policy.explain()
        more = (
            "two groups in one, or one item more on the page; index:\n"
            "how far ahead those behind may be, at most"
        )
        self.title("3  Neighbours", more if explanation.neighbours else "none: all items are tied")
        for step in explanation.neighbours:
            new = (*step.ahead, *step.behind)
            groups = [g for g in self.leader.groups if g not in (step.ahead, step.behind)]
            groups.insert(self.leader.groups.index(step.ahead), new)
            below = [item for item in self.leader.below if item not in new]
            self.draw_groups(groups, below, new)
            chosen = step in explanation.trying
            words = f"{signed(step.index)}{', largest' if chosen else ''}"
            look = {"weight": "bold" if chosen else "normal", "ha": "right"}
            look["color"] = OPEN if step.index > 0 else INK
            write(self.axes, COLUMN - MARGIN, self.y + (ROW - 0.07) / 2, words, **look)
            self.y += ROW

    def draw_round(self) -> None:
        """What a copy of the policy plays."""
        shown = self.copy.rank()
        groups, below = played(self.copy)
        known = {frozenset(group) for group in self.leader.groups}
        new = next((group for group in groups if frozenset(group) not in known), ())
        leads = "the leader: no index is above 0"
        self.title("4  Played", "the neighbour of largest index" if new else leads)
        self.draw_groups(groups, below, new)
        self.y += ROW
        chance = chance_in_words(shown.propensity)
        self.title("5  Shown", f"groups in random order; the chance of this list is {chance}")
        for n, item in enumerate(shown.items):
            x = INDENT + n * (self.unit + 0.04)
            box(self.axes, x, self.y, self.unit, ROW - 0.07, str(item), "white")
            write(self.axes, x + self.unit / 2, self.y + ROW, f"{n + 1}", ha="center", color=GREY)
        x = INDENT + len(shown.items) * (self.unit + 0.04) + 0.04
        write(self.axes, x, self.y + ROW, "position", color=GREY)
        self.y += ROW + 0.12


def chance_in_words(chance: float) -> str:
    """1 in 12, or a number where that is no whole one."""
    lists = round(1 / chance)
    return f"1 in {lists:,}" if abs(lists * chance - 1) < 1e-9 else f"{chance:.3g}"


def played(policy: UniRank) -> tuple[list[tuple[ItemId, ...]], list[ItemId]]:
    """The groups of the partition that the last round played, and who had no place in it."""
    state, items = policy.state, policy.items
    groups = []
    start = 0
    while start < policy.n_positions:
        end = int(state.shown_ends[start])
        groups.append(tuple(items[n] for n in sorted(state.shown[start:end].tolist())))
        start = end
    on_page = {item for group in groups for item in group}
    return groups, [item for item in items if item not in on_page]
