"""Pairs of items: who is ahead of whom in the order of a policy, on what evidence."""

from collections.abc import Sequence
from math import floor, log10
from os import PathLike
from textwrap import fill
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.plots.explained import explained
from unirank.lab.plots.leader_beliefs import LETTERS
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import COLUMN, GREY, INK, OPEN, SMALL, STYLE, SURE
from unirank.lab.plots.words import MINUS, counted, short_count, short_names
from unirank.policies.base.explanation import Pair
from unirank.policies.base.words import clicks

MOST_NEIGHBOURS, MOST_BELOW = 20, 8  # pairs drawn
ROW = 0.19  # inches
WIDE = 12  # letters of two names, beyond which the figure is wider
RANGE = 1e3  # of chances; smaller ones are drawn at the edge
LINE = 64  # letters of a note


def pair_tests(policy: Any, *, path: str | PathLike[str] | None = None) -> Any:
    """Draw the evidence of pairs: of neighbours in the order, and of items below the page.

    Parameters
    ----------
    policy
        A policy whose explanation has evidence of pairs, such as MatchRank, which tests them, or
        UniRank.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    found, pairs = explained(policy, "pairs")
    if not pairs:
        raise ArgumentError(
            f"policy must have two items of which one is ahead of the other, got {policy!r:.80}: "
            "its explanation has no pair"
        )
    inside, outside = found.neighbouring[:MOST_NEIGHBOURS], found.against_below[:MOST_BELOW]
    rows = [*inside, *outside]
    short = short_names(policy.items, LETTERS)  # as in the picture of the leader
    names = [f"{short[pair.ahead]} > {short[pair.behind]}" for pair in rows]
    longest = max(map(len, names))
    width = COLUMN if longest <= WIDE else 1.3 * COLUMN
    left_out = len(pairs) - len(rows)
    chances = [pair.chance for pair in rows if pair.chance is not None]
    has_chances = len(chances) == len(rows)
    notes = _notes(rows, has_chances=has_chances)
    notes += f"\nNot drawn: {counted(left_out, 'more pair')}." * bool(left_out)
    with optional("matplotlib", "lab").rc_context({**STYLE, "axes.grid": False}):
        height = ROW * (len(rows) + 1) + 0.9 + 0.1 * (notes.count("\n") + 1)
        figure = optional("matplotlib.figure", "lab").Figure((width, height), dpi=300)
        columns = (4, 2, 2) if has_chances else (4, 2)
        left, middle, *right = figure.subplots(1, len(columns), width_ratios=columns)
        figure.suptitle(
            f"Pairs of {type(policy).__name__} after {counted(policy.round, 'round')}",
            x=0.01, ha="left", size=STYLE["axes.titlesize"], weight="bold",
        )  # fmt: skip
        furthest = 1.15 * max(1.0, *(abs(pair.strength) for pair in rows))
        left.barh(
            range(len(rows)), [pair.strength for pair in rows], height=0.6,
            color=[_colour(pair) for pair in rows],
        )  # fmt: skip
        left.axvline(0, color=INK, lw=0.6)
        for side in (-1, 1):
            left.axvline(side, color=INK, lw=0.8, ls=(0, (1, 1.5)))
        left.set_xlim(-furthest, furthest)
        left.set_yticks(range(len(rows)), names)
        left.set_xlabel(f"evidence: {MINUS} second,\n+ first ahead")
        for y, pair in enumerate(rows):
            middle.text(1, y, _clicks(pair), ha="right", va="center", size=SMALL)
        middle.set(xlim=(0, 1), xlabel="won by\nthe first")
        middle.set_xticks([0], [" "])  # the title is as low as its neighbours
        middle.tick_params(axis="x", color="none")
        middle.spines[:].set_visible(False)
        for axes in right:
            _draw_chances(axes, [100 * chance for chance in chances])
        for axes in figure.axes:
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            if inside and outside:
                axes.axhline(len(inside) - 0.5, color=INK, lw=0.8, ls=(0, (3, 1.5)))
        for axes in (middle, *right):
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


def _notes(rows: Sequence[Pair], *, has_chances: bool) -> str:
    """Explain what is drawn: no colour that no bar has."""
    colours = {_colour(pair) for pair in rows}
    blue = " (blue)" * (SURE in colours)
    orange = "Orange: the second item is ahead. " * (OPEN in colours)
    weighted = any(pair.comparisons % 1 or pair.wins % 1 for pair in rows)
    sentences = [
        f"Evidence: beyond the dotted lines{blue} it decides who is ahead, whatever else the "
        "policy believes.",
        f"{orange}Won: of the clicks on just one of the two{', weighted' * weighted}.",
    ]
    sentences += ["Below the dashed line, the second item is not on the page."]
    sentences += ["Swap next: chance of the other order; at the edge, less."] * has_chances
    return "\n".join(fill(each, LINE) for each in sentences)


def _colour(pair: Pair) -> str:
    return SURE if pair.decided else OPEN if pair.strength < 0 else GREY


def _clicks(pair: Pair) -> str:
    if not pair.comparisons:
        return "no click"
    return f"{_short(pair.wins)} of {_short(pair.comparisons)}"


def _short(number: float) -> str:
    return clicks(number) if number < 99.95 else short_count(round(number))
