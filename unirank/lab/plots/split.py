"""Figure of an A/B test: clicks per view of each arm, and their difference over time."""

from math import isnan
from os import PathLike
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import GREY, INK, OPEN, PAGE, SPARE, STYLE, SURE
from unirank.lab.plots.words import short_name
from unirank.page import Split, SplitReport

HEIGHT = 2.3  # inches
COLOURS = (SURE, OPEN, *SPARE)


def split(test: Split, *, title: str = "", path: str | PathLike[str] | None = None) -> Any:
    """Draw an A/B test: bars of uncertainty for each arm, and the differences over time.

    Bars and bands hold at all times together (95 %).

    Parameters
    ----------
    test
        A `Split` that runs.
    title
        Above the panels.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    if not isinstance(test, Split):
        raise ArgumentError(f"test must be a Split, got {test!r:.80}")
    history = test.history()
    now = history[-1]
    with optional("matplotlib", "lab").rc_context(STYLE):
        figures = optional("matplotlib.figure", "lab")
        figure = figures.Figure(figsize=(PAGE, HEIGHT), dpi=300, layout="constrained")
        arms, differences = figure.subplots(1, 2, width_ratios=(1, 2))
        _draw_arms(arms, now)
        _draw_differences(differences, history)
        arms.set_title(title or "Clicks per view")
        against = short_name(now.arms[0].name, 20)
        differences.set_title(f"Clicks per view minus those of {against}")
        if now.broken:
            note = f"the split is broken (p = {now.sample_ratio:.1g}): do not read these numbers"
            figure.suptitle(note, color=OPEN, size=STYLE["axes.titlesize"])
        return drawn(figure, path)


def _draw_arms(axes: Any, now: SplitReport) -> None:
    for place, arm in enumerate(now.arms):
        colour = GREY if place == 0 else COLOURS[(place - 1) % len(COLOURS)]
        axes.plot([arm.rate], [place], "o", ms=4, color=colour)
        if not isnan(arm.low):
            axes.hlines(place, arm.low, arm.high, color=colour, lw=1.2)
    names = [f"{short_name(arm.name, 14)}\n{arm.views:,} views" for arm in now.arms]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("clicks per view")


def _draw_differences(axes: Any, history: list[SplitReport]) -> None:
    axes.axhline(0, color=INK, lw=0.8)
    for number, arm in enumerate(history[-1].arms[1:]):
        told = [
            (sum(one.views for one in moment.arms), moment.differences[number])
            for moment in history
            if not isnan(moment.differences[number].low)
        ]
        colour = COLOURS[number % len(COLOURS)]
        views = [n_views for n_views, _ in told]
        axes.plot(views, [each.estimate for _, each in told], color=colour, lw=1.2, label=arm.name)
        low, high = [each.low for _, each in told], [each.high for _, each in told]
        axes.fill_between(views, low, high, color=colour, alpha=0.25, lw=0)
    if len(history[-1].arms) > 2:
        axes.legend(frameon=False)
    axes.set_xlim(0, max(100, sum(arm.views for arm in history[-1].arms)))
    axes.xaxis.set_major_formatter(
        optional("matplotlib.ticker", "lab").StrMethodFormatter("{x:,.0f}")
    )
    axes.set_xlabel("views of all arms (95 % at all times together)")
