"""The leader of MatchRank: its list, with what the model believes of items and positions."""

from typing import Any

from unirank.extras import optional
from unirank.lab.plots.theme import COLUMN, GREY, INK, SMALL, STYLE, SURE
from unirank.lab.plots.words import counted, short_names
from unirank.policies.match_rank.explanation import Belief
from unirank.policies.match_rank.policy import MatchRank

MOST_POSITIONS, MOST_BELOW = 20, 8  # drawn
ROW = 0.17  # inches
LETTERS = 12  # of a name
NOTES = """Dots: most likely values; lines: 95 % intervals of the model.
Attraction: click rate in position 1. Examination: the part of
it that positions 1, 2, ... keep. Below the dashed line, grey:
items that are not on the page."""
TESTED = "\n* Tests put it above the next item, against the model."


def draw_beliefs(policy: MatchRank) -> Any:
    """Return the figure that `plots.leader` shows for MatchRank."""
    found = policy.explain(n_draws=1)
    n_positions = min(len(found.leader), MOST_POSITIONS)
    on_page = found.attraction[:n_positions]
    below = found.attraction[len(found.leader) :][:MOST_BELOW]
    n_rows = n_positions + len(below)
    tested = {test.ahead for test in found.tests if test.overrules}
    notes = NOTES + TESTED * bool(tested) + _left_out(policy, n_positions, len(below))
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        height = ROW * (n_rows + 1) + 0.8 + 0.1 * (notes.count("\n") + 1)
        figure = optional("matplotlib.figure", "lab").Figure((COLUMN, height), dpi=300)
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        figure.suptitle(
            f"Leader of MatchRank after {counted(found.n_rounds, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        _draw_intervals(left, on_page, 0, SURE)
        _draw_intervals(left, below, n_positions, GREY)
        _draw_intervals(right, found.examination[:n_positions], 0, INK)
        short = short_names(policy.items, LETTERS)
        names = [short[belief.of] + "*" * (belief.of in tested) for belief in (*on_page, *below)]
        left.set_yticks(range(n_rows), names)
        left.set(xlim=(0, None), xlabel="attraction")
        right.set_yticks(range(n_positions), range(1, n_positions + 1))
        right.set(xlim=(0, 1.05), xlabel="examination")
        for axes in (left, right):
            axes.set_ylim(n_rows - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x")
            if below:
                axes.axhline(n_positions - 0.5, color=INK, lw=0.8, ls=(0, (3, 1.5)))
        figure.supxlabel(notes, x=0.02, ha="left", size=SMALL)
        return figure


def _draw_intervals(axes: Any, beliefs: tuple[Belief, ...], start: int, colour: str) -> None:
    for y, belief in enumerate(beliefs, start=start):
        axes.plot([belief.low, belief.high], [y, y], color=colour, lw=1.4, solid_capstyle="butt")
        axes.plot(belief.value, y, "o", color=colour, ms=3.5)


def _left_out(policy: MatchRank, n_positions: int, n_below: int) -> str:
    """Say what is not drawn."""
    missing = [
        counted(n, noun)
        for n, noun in (
            (policy.n_positions - n_positions, "more position"),
            (policy.n_items - policy.n_positions - n_below, "more item"),
        )
        if n
    ]
    return f"\nNot drawn: {' and '.join(missing)}." if missing else ""
