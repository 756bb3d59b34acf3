"""The tests of MatchRank: who is ahead of whom in the leader, on what evidence."""

from collections.abc import Sequence
from os import PathLike
from textwrap import fill
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.plots.saving import drawn
from unirank.plots.theme import COLUMN, GREY, INK, OPEN, SMALL, STYLE, SURE
from unirank.plots.words import MINUS, counted, short_count, short_names
from unirank.policies.match_rank.explanation import PairTest
from unirank.policies.match_rank.policy import MatchRank

MOST_NEIGHBOURS, MOST_BELOW = 20, 8  # pairs drawn
ROW = 0.19  # inches
LETTERS = 9  # of a name
WIDE = 12  # letters of two names, beyond which titles of axes have two lines
LINE = 64  # letters of a note


def pair_tests(policy: Any, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw what MatchRank's tests say of neighbours in its leader, and of items below the page.

    Parameters
    ----------
    policy
        A MatchRank.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    if not isinstance(policy, MatchRank):
        raise ArgumentError(f"policy must be MatchRank, which tests pairs, got {policy!r:.80}")
    if policy.n_items == 1:
        raise ArgumentError("policy must have at least 2 items for tests of pairs, got 1")
    found = policy.explain(n_draws=1)
    inside = [test for test in found.tests if test.on_page]
    outside = sorted((t for t in found.tests if not t.on_page), key=lambda test: -test.odds)
    rows = inside[:MOST_NEIGHBOURS] + outside[:MOST_BELOW]
    n_inside = len(inside[:MOST_NEIGHBOURS])
    left_out = len(found.tests) - len(rows)
    notes = _notes(rows) + f"\nNot drawn: {counted(left_out, 'more pair')}." * bool(left_out)
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        height = ROW * (len(rows) + 1) + 0.9 + 0.1 * (notes.count("\n") + 1)
        figure = optional("matplotlib.figure", "lab").Figure((COLUMN, height), dpi=300)
        left, right = figure.subplots(1, 2, width_ratios=(5, 2))
        figure.suptitle(
            f"Tests of MatchRank after {counted(found.n_rounds, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        furthest = 1.15 * max([found.z_to_decide, *(abs(test.z) for test in rows)])
        for y, test in enumerate(rows):
            _draw_test(left, y, test)
        left.axvline(0, color=INK, lw=0.6)
        for side in (-1, 1):
            left.axvline(side * found.z_to_decide, color=INK, lw=0.8, ls=(0, (1, 1.5)))
        left.set_xlim(-furthest, furthest)
        short = short_names(policy.items, LETTERS)
        names = [f"{short[test.ahead]} > {short[test.behind]}" for test in rows]
        left.set_yticks(range(len(rows)), names)
        chances = [100 * test.chance for test in rows]
        right.plot(chances, range(len(rows)), "o", color=INK, ms=3.5, clip_on=False)
        right.set_xlim(0, 1.1 * max(chances))
        broken = "\n" if max(map(len, names)) > WIDE else " "
        left.set_xlabel(f"z: {MINUS} second,{broken}+ first ahead")
        right.set_xlabel(f"swap{broken}next, %")
        right.grid(axis="x")
        right.set_yticks([])
        for axes in (left, right):
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            if 0 < n_inside < len(rows):
                axes.axhline(n_inside - 0.5, color=INK, lw=0.8, ls=(0, (3, 1.5)))
        figure.supxlabel(notes, x=0.02, ha="left", size=SMALL)
        return drawn(figure, path)


def _notes(rows: Sequence[PairTest]) -> str:
    """Explain what is drawn: no colour that no bar has."""
    colours = {_colour(test) for test in rows}
    blue = " (blue)" * (SURE in colours)
    orange = "Orange: the second item is ahead. " * (OPEN in colours)
    sentences = (
        f"z: evidence of the tests, in standard deviations. Beyond the dotted lines{blue} it "
        "decides, whatever the model says.",
        f"{orange}Numbers: of the clicks on just one of the two, those won by the first (as of a "
        "fair coin).",
        "Below the dashed line, the second item is not on the page.",
        "Swap next: chance of a test by the other order.",
    )
    return "\n".join(fill(each, LINE) for each in sentences)


def _colour(test: PairTest) -> str:
    return SURE if test.decided else OPEN if test.z < 0 else GREY


def _short(clicks: float) -> str:
    return f"{clicks:.1f}" if clicks < 99.95 else short_count(round(clicks))


def _draw_test(axes: Any, y: int, test: PairTest) -> None:
    """Draw a bar to the side of the item that is ahead, and the clicks on the other side."""
    axes.barh(y, test.z, height=0.6, color=_colour(test))
    words = f"{_short(test.comparisons - test.wins)} of {_short(test.comparisons)}"
    side, end = (1, "left") if test.z < 0 else (-1, "right")
    halo = optional("matplotlib.patheffects", "lab").withStroke(linewidth=1.5, foreground="white")
    look = {"va": "center", "size": SMALL, "path_effects": [halo]}  # no box: it would hide a line
    axes.annotate(
        words if test.comparisons else "no click",
        (0, y), (3 * side, 0), textcoords="offset points", ha=end, **look,
    )  # fmt: skip
