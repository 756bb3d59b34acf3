"""The tests of MatchRank: who is ahead of whom in the leader, on what evidence."""

from collections.abc import Sequence
from math import floor, log10
from os import PathLike
from textwrap import fill
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.plots.leader_beliefs import LETTERS
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, GREY, INK, OPEN, SMALL, STYLE, SURE
from unirank.lab.plots.words import MINUS, counted, short_count, short_names
from unirank.policies.match_rank.explanation import PairTest
from unirank.policies.match_rank.policy import MatchRank

MOST_NEIGHBOURS, MOST_BELOW = 20, 8  # pairs drawn
ROW = 0.19  # inches
WIDE = 12  # letters of two names, beyond which the figure is wider
RANGE = 1e3  # of chances; smaller ones are drawn at the edge
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
    inside, outside = found.neighbours[:MOST_NEIGHBOURS], found.challengers[:MOST_BELOW]
    rows = [*inside, *outside]
    short = short_names(policy.items, LETTERS)  # as in the picture of the leader
    names = [f"{short[test.ahead]} > {short[test.behind]}" for test in rows]
    longest = max(map(len, names))
    width = COLUMN if longest <= WIDE else 1.3 * COLUMN
    left_out = len(found.tests) - len(rows)
    notes = _notes(rows) + f"\nNot drawn: {counted(left_out, 'more pair')}." * bool(left_out)
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        height = ROW * (len(rows) + 1) + 0.9 + 0.1 * (notes.count("\n") + 1)
        figure = optional("matplotlib.figure", "lab").Figure((width, height), dpi=300)
        left, middle, right = figure.subplots(1, 3, width_ratios=(4, 2, 2))
        figure.suptitle(
            f"Tests of MatchRank after {counted(found.n_rounds, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        furthest = 1.15 * max([found.z_to_decide, *(abs(test.z) for test in rows)])
        left.barh(
            range(len(rows)), [test.z for test in rows], height=0.6,
            color=[_colour(test) for test in rows],
        )  # fmt: skip
        left.axvline(0, color=INK, lw=0.6)
        for side in (-1, 1):
            left.axvline(side * found.z_to_decide, color=INK, lw=0.8, ls=(0, (1, 1.5)))
        left.set_xlim(-furthest, furthest)
        left.set_yticks(range(len(rows)), names)
        left.set_xlabel(f"z: {MINUS} second,\n+ first ahead")
        for y, test in enumerate(rows):
            middle.text(1, y, _clicks(test), ha="right", va="center", size=SMALL)
        middle.set(xlim=(0, 1), xlabel="won by\nthe first")
        middle.set_xticks([0], [" "])  # the title is as low as its neighbours
        middle.tick_params(axis="x", color="none")
        middle.spines[:].set_visible(False)
        _draw_chances(right, [100 * test.chance for test in rows])
        for axes in (left, middle, right):
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            if inside and outside:
                axes.axhline(len(inside) - 0.5, color=INK, lw=0.8, ls=(0, (3, 1.5)))
        for axes in (middle, right):
            axes.set_yticks([])
        figure.supxlabel(notes, x=0.02, ha="left", size=SMALL)
        return drawn(figure, path)


def _draw_chances(axes: Any, chances: Sequence[float]) -> None:
    """Draw a dot for each percentage, on a scale of decades: items outside share one chance."""
    ticker = optional("matplotlib.ticker", "lab")
    most = max(1e-9, *chances)
    low = float(10 ** floor(log10(max(most / RANGE, min(chances)))))
    dots = [max(chance, low) for chance in chances]
    axes.set_xscale("log")
    axes.plot(dots, range(len(dots)), "o", color=INK, ms=3.5, clip_on=False)
    axes.set_xlim(low, max(1.3 * most, 10 * low))
    axes.xaxis.set_major_locator(ticker.LogLocator(numticks=3))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("swap\nnext, %")
    axes.grid(axis="x")


def _notes(rows: Sequence[PairTest]) -> str:
    """Explain what is drawn: no colour that no bar has."""
    colours = {_colour(test) for test in rows}
    blue = " (blue)" * (SURE in colours)
    orange = "Orange: the second item is ahead. " * (OPEN in colours)
    sentences = (
        f"z: evidence of the tests, in standard deviations. Beyond the dotted lines{blue} it "
        "decides, whatever the model says.",
        f"{orange}Won: of the clicks on just one of the two, as of a fair coin.",
        "Below the dashed line, the second item is not on the page.",
        "Swap next: chance of the other order; at the edge, less.",
    )
    return "\n".join(fill(each, LINE) for each in sentences)


def _colour(test: PairTest) -> str:
    return SURE if test.decided else OPEN if test.z < 0 else GREY


def _clicks(test: PairTest) -> str:
    if not test.comparisons:
        return "no click"
    return f"{_short(test.wins)} of {_short(test.comparisons)}"


def _short(clicks: float) -> str:
    return f"{clicks:.1f}" if clicks < 99.95 else short_count(round(clicks))
