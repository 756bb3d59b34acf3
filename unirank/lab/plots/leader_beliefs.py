"""The leader of a policy that believes something of each item, and perhaps of positions."""

from textwrap import fill
from typing import Any

from unirank.extras import optional
from unirank.lab.plots.theme import COLUMN, GREY, INK, SMALL, STYLE, SURE
from unirank.lab.plots.words import counted, short_names
from unirank.policies import Policy
from unirank.policies.base.explanation import Belief, Explanation
from unirank.policies.base.leader import Leader

MOST_POSITIONS, MOST_BELOW = 20, 8  # drawn
ROW = 0.17  # inches
LETTERS = 12  # of a name
LINE = 62  # letters of a note
MOST_STARS = 3  # items of which a note says more
INTERVALS = "Dots: most likely values; lines: 95 % intervals."
ATTRACTION = "Attraction: click rate in position 1."
EXAMINATION = "Examination: the part of it that positions 1, 2, ... keep."
BELOW = "Below the dashed line, grey: items that are not on the page."


def draw_beliefs(policy: Policy, found: Explanation, order: Leader) -> Any:
    """Return the figure that `plots.leader` shows of a policy that believes something of items."""
    beliefs = {belief.of: belief for belief in found.attraction}
    page = [item for group in order.groups for item in group]
    on_page, below = page[:MOST_POSITIONS], list(order.below)[:MOST_BELOW]
    rows = [*on_page, *below]
    short = short_names(policy.items, LETTERS)
    starred = [pair for pair in found.neighbouring if pair.note and pair.ahead in on_page]
    notes = [" ".join([INTERVALS, ATTRACTION, *[EXAMINATION] * bool(found.examination)])]
    notes[0] += f" {BELOW}" * bool(below)
    notes += [f"* {short[pair.ahead]}: {pair.note}." for pair in starred[:MOST_STARS]]
    notes += _left_out(len(page) - len(on_page), len(order.below) - len(below))
    words = "\n".join(fill(note, LINE) for note in notes)
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        height = ROW * (len(rows) + 1) + 0.8 + 0.1 * (words.count("\n") + 1)
        figure = optional("matplotlib.figure", "lab").Figure((COLUMN, height), dpi=300)
        figure.suptitle(
            f"Leader of {type(policy).__name__} after {counted(policy.round, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        if found.examination:
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            n_drawn = min(len(found.examination), MOST_POSITIONS)
            _draw_intervals(right, list(enumerate(found.examination[:n_drawn])), INK)
            right.set_yticks(range(n_drawn), range(1, n_drawn + 1))
            right.set(xlim=(0, 1.05), xlabel="examination")
        else:
            left = figure.add_subplot()
        known = [(y, beliefs[item]) for y, item in enumerate(rows) if item in beliefs]
        _draw_intervals(left, [row for row in known if row[0] < len(on_page)], SURE)
        _draw_intervals(left, [row for row in known if row[0] >= len(on_page)], GREY)
        stars = {pair.ahead for pair in starred}
        left.set_yticks(range(len(rows)), [short[item] + "*" * (item in stars) for item in rows])
        left.set(xlim=(0, None), xlabel="attraction")
        for axes in figure.axes:
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x")
            if below:
                axes.axhline(len(on_page) - 0.5, color=INK, lw=0.8, ls=(0, (3, 1.5)))
        figure.supxlabel(words, x=0.02, ha="left", size=SMALL)
        return figure


def _draw_intervals(axes: Any, rows: list[tuple[int, Belief]], colour: str) -> None:
    for y, belief in rows:
        axes.plot([belief.low, belief.high], [y, y], color=colour, lw=1.4, solid_capstyle="butt")
        axes.plot(belief.value, y, "o", color=colour, ms=3.5)


def _left_out(n_on_page: int, n_below: int) -> list[str]:
    """Say what is not drawn."""
    counts = ((n_on_page, "more position"), (n_below, "more item"))
    missing = [counted(n, noun) for n, noun in counts if n]
    return [f"Not drawn: {' and '.join(missing)}."] if missing else []
