"""The leader: groups of tied items from the top of the page down, and how sure their order is.

An arrow goes from a group to the next, and from the last group on the page to each item below it:
the steps that UniRank considers (`leader_steps.py`). Below the page the closest item comes first,
that of largest index. What has no room is counted, not dropped in silence.
"""

from collections.abc import Sequence
from typing import Any

from unirank.extras import optional
from unirank.plots.canvas import (
    FAINT,
    GREY,
    PALE,
    arrow,
    box,
    canvas,
    cropped,
    frame,
    length_of,
    widest,
    write,
)
from unirank.plots.leader_steps import WIDTHS, Steps, look
from unirank.plots.theme import COLUMN, STYLE
from unirank.policies.base.leader import ItemId, leader_of

LEFT, MARGIN, GAP, PADDING = 0.68, 0.06, 0.32, 0.05  # inches
BOX, NARROWEST, WIDEST, BETWEEN = 0.19, 0.2, 0.75, 0.04
ARROWS = LEFT + 0.45  # where the order runs down
FAN, LINE = 0.4, 0.13
MOST_GROUPS, MOST_LINES = 12, 3  # groups in a figure, lines of boxes in a group


def leader(policy: Any) -> Any:
    """Draw the policy's leader; return the matplotlib figure.

    UniRank also says who beats whom and how surely; GRAB, S-GRAB and OSUB compare whole lists.
    """
    with optional("matplotlib", "lab").rc_context(STYLE):
        return _Drawing(policy).figure


class _Drawing:
    """The figure, drawn from the top; `y` is how far it has come."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.leader = leader_of(policy)
        self.steps = Steps(policy)
        names = widest(str(item) for item in policy.items)
        self.box = min(max(names + 0.08, NARROWEST), WIDEST)
        self.per_line = int((COLUMN - LEFT - MARGIN - PADDING) / (self.box + BETWEEN))
        self.figure, self.axes = canvas(COLUMN, 20.0)
        self.y = 0.0
        self.write_title()
        self.draw_groups()
        self.draw_below()
        self.write_legend()
        cropped(self.figure, self.axes, self.y)

    def write_title(self) -> None:
        rounds = f"{self.policy.round:,} round{'s' * (self.policy.round != 1)}"
        title = f"Leader of {type(self.policy).__name__} after {rounds}"
        write(self.axes, MARGIN, 0.11, title, size=STYLE["axes.titlesize"], weight="bold")
        write(self.axes, MARGIN, 0.29, "position", color=GREY)
        write(self.axes, LEFT, 0.29, "items; those in one frame are tied", color=GREY)
        self.y = 0.42

    def draw_groups(self) -> None:
        groups = self.leader.groups
        left_out = range(MOST_GROUPS - 1, max(len(groups) - 1, MOST_GROUPS - 1))
        start = 0
        for place, group in enumerate(groups):
            if place not in left_out:
                self.draw_group(group, start)
                if place + 1 < len(groups) and place + 1 not in left_out:
                    self.draw_step(place)
            elif place == left_out[0]:
                n_items = sum(len(groups[n]) for n in left_out)
                words = f"… {len(left_out):,} more groups, {n_items:,} items, not drawn …"
                write(self.axes, LEFT, self.y + GAP / 2, words, color=GREY)
                self.y += GAP
            start += len(group)

    def draw_group(self, group: Sequence[ItemId], start: int) -> None:
        n_places = min(self.policy.n_positions - start, len(group))
        words = f"{start + 1}" if n_places == 1 else f"{start + 1} to {start + n_places}"
        if n_places < len(group):
            words += f"\nfor {n_places} of {len(group)}"
        height = self.draw_frame(group, MOST_LINES, PALE)
        write(self.axes, MARGIN, self.y + height / 2, words)
        self.y += height

    def draw_step(self, place: int) -> None:
        """The arrow to the next group, and its pair in words."""
        if self.steps.all:
            step = self.steps.all[place]
            ends = (ARROWS, self.y), (ARROWS, self.y + GAP)
            arrow(self.axes, *ends, **self.steps.look_of(step))
            words = "\n".join(self.steps.words_of(step))
            write(self.axes, ARROWS + 0.1, self.y + GAP / 2, words)
        self.y += GAP if self.steps.all else GAP / 2

    def draw_below(self) -> None:
        below: list[ItemId] = list(self.leader.below)
        if not below:
            return
        stem = sum(self.edges) / 2, self.y
        if self.steps.all:
            below.sort(key=lambda item: -self.steps.to(item).index)
        self.y += FAN
        height = self.draw_frame(below, 1, FAINT, edgecolor=GREY, linestyle=(0, (3, 2)))
        write(self.axes, MARGIN, self.y + height / 2, "below\nthe page", color=GREY)
        top = self.y + PADDING
        self.y += height
        if self.steps.all:
            for item, x in zip(below, self.middles, strict=False):  # of those that are drawn
                arrow(self.axes, stem, (x, top), **self.steps.look_of(self.steps.to(item)))
            words = "\n".join(self.steps.words_of(self.steps.to(below[0])))
            write(self.axes, LEFT, self.y + 0.17, f"closest: {words}")
            self.y += 0.3

    def draw_frame(self, group: Sequence[ItemId], most_lines: int, face: str, **look: Any) -> float:
        """Boxes in a frame, centred on the arrows where there is room; return its height."""
        step = self.box + BETWEEN
        words = ""
        if len(group) > most_lines * self.per_line:
            n_boxes = 1 + int(length_of(f"+{len(group):,} more") / step)  # whose place they take
            shown = group[: max(most_lines * self.per_line - n_boxes, 1)]
            words = f"+{len(group) - len(shown):,} more"
            group = shown
        lines = [group[n : n + self.per_line] for n in range(0, len(group), self.per_line)]
        ends = [len(line) * step - BETWEEN for line in lines]
        ends[-1] += length_of(words) + BETWEEN if words else 0.0
        width = max(ends) + 2 * PADDING
        height = len(lines) * (BOX + BETWEEN) - BETWEEN + 2 * PADDING
        x = max(ARROWS - width / 2, LEFT)
        frame(self.axes, x, self.y, width, height, **look)
        for row, line in enumerate(lines):
            y = self.y + PADDING + row * (BOX + BETWEEN)
            for place, item in enumerate(line):
                box(self.axes, x + PADDING + place * step, y, self.box, BOX, str(item), face)
        if words:
            write(self.axes, x + width - PADDING, y + BOX / 2, words, ha="right", color=GREY)
        self.edges = x, x + width
        self.middles = [x + PADDING + n * step + self.box / 2 for n in range(len(lines[0]))]
        return height

    def write_legend(self) -> None:
        self.y += 0.14
        if self.steps.all:
            self.sample(look(True, WIDTHS[1]), "sure: even the lowest likely ŝ is not below 0")
            self.sample(look(False, 1.2), "not sure yet; wider: more evidence")
            self.note("Each arrow: the least sure pair of the two groups.")
            self.note("ŝ: wins minus losses, over the clicks on just one of two.")
            if self.steps.budget <= 0.0:
                self.note("This leader is new: it is too early to be sure.")
        elif len(self.leader.groups) > 1:
            self.note("This policy compares whole lists: there are no pairs to draw.")
        else:
            self.note("All items are tied: nobody is ahead of anybody yet.")

    def sample(self, line: dict[str, Any], words: str) -> None:
        arrow(self.axes, (MARGIN, self.y), (MARGIN + 0.36, self.y), **line)
        write(self.axes, MARGIN + 0.44, self.y, words)
        self.y += LINE

    def note(self, words: str) -> None:
        write(self.axes, MARGIN, self.y, words)
        self.y += LINE
