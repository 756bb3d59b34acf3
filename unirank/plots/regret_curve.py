"""Regret against rounds: a line for the mean, a band for its standard error."""

from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import numpy as np

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import write_atomically
from unirank.plots.theme import DASHES, STYLE, colour_of
from unirank.simulation import Trace

FORMATS = (".png", ".svg", ".pdf")
FIRST_ROUND = 10
LETTER = 0.075  # inches of a label
LINE = 0.07  # height of a label, as a share of the panel's
FAR_OFF = 10  # times the second worst: a policy that learns nothing would flatten all the others


def plot_regret(
    panels: Mapping[str, Sequence[Trace]], *, y: Literal["linear", "log"] = "linear"
) -> Any:
    """Draw one panel per experiment, side by side; return the matplotlib figure."""
    matplotlib = optional("matplotlib", "lab")
    figures = optional("matplotlib.figure", "lab")
    longest = max(len(trace.label) for traces in panels.values() for trace in traces)
    with matplotlib.rc_context(STYLE):
        width = 3.8 + LETTER * longest
        figure = figures.Figure(figsize=(width * len(panels), 3.6), dpi=200)
        for number, (title, traces) in enumerate(panels.items()):
            axes = figure.add_subplot(1, len(panels), number + 1)
            games = max(trace.n_games for trace in traces)
            axes.set(title=title, xlabel=f"rounds (mean ± standard error of {games} games)")
            axes.set(xscale="log", yscale=y)
            axes.set_xlim(FIRST_ROUND, max(trace.n_rounds for trace in traces))
            top = None if y == "log" else top_of(traces)
            variants = Counter[str]()  # of one policy, in one colour, told apart by their dashes
            for trace in traces:
                draw_trace(axes, trace, top, DASHES[variants[trace.policy] % len(DASHES)])
                variants[trace.policy] += 1
            if top is not None:
                axes.set_ylim(0, top)
            if number == 0:
                axes.set_ylabel("cumulative regret (clicks lost)")
            name_lines(axes, traces, top)
        return figure


def top_of(traces: Sequence[Trace]) -> float:
    """Where a linear regret axis ends: above all, or above all but one that is far off."""
    highest = sorted(
        float(trace.mean[-1] + np.nan_to_num(trace.standard_error[-1])) for trace in traces
    )
    if len(highest) > 1 and highest[-1] > FAR_OFF * highest[-2]:
        return 1.15 * highest[-2]
    return 1.05 * highest[-1]


def draw_trace(axes: Any, trace: Trace, top: float | None, dashes: Any) -> None:
    """Draw one policy: a line and its band."""
    shown = trace.rounds >= FIRST_ROUND
    rounds, mean, error = trace.rounds[shown], trace.mean[shown], trace.standard_error[shown]
    colour = colour_of(trace.policy)
    axes.plot(rounds, mean, color=colour, lw=1.6, ls=dashes)
    lower = mean - error if top is not None else (mean - error).clip(min=mean * 0.1)
    axes.fill_between(rounds, lower, mean + error, color=colour, alpha=0.3, lw=0)


def name_lines(axes: Any, traces: Sequence[Trace], top: float | None) -> None:
    """Write each policy's name where its line ends or, if it leaves the panel, where it does."""
    limit = np.inf if top is None else top
    ending = [trace for trace in traces if trace.mean[-1] <= limit]
    to_fraction = axes.transData + axes.transAxes.inverted()
    heights = [to_fraction.transform((trace.n_rounds, trace.mean[-1]))[1] for trace in ending]
    for trace, height in zip(ending, spread(heights, LINE), strict=True):
        axes.text(
            1.02, height, trace.label, color=colour_of(trace.policy),
            transform=axes.transAxes, va="center",
        )  # fmt: skip
    for trace in traces:
        if trace not in ending:
            leaves = trace.rounds[np.argmax(trace.mean > limit)]
            axes.annotate(
                trace.label, (leaves, limit), (-4, -4), textcoords="offset points",
                ha="right", va="top", color=colour_of(trace.policy),
            )  # fmt: skip


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights apart, upwards, until any two differ by `gap`; their order stays."""
    moved = list(heights)
    last = -np.inf
    for place in sorted(range(len(moved)), key=lambda k: moved[k]):
        moved[place] = last = max(moved[place], last + gap)
    return moved


def check_format(path: Path) -> None:
    if path.suffix not in FORMATS:
        raise ArgumentError(f"out must end in {', '.join(FORMATS)}, got {str(path)!r}")


def save_figure(figure: Any, path: Path) -> None:
    """Write the figure in the format of the path's ending."""
    check_format(path)
    buffer = BytesIO()
    with optional("matplotlib", "lab").rc_context(STYLE):
        figure.savefig(buffer, format=path.suffix[1:], metadata=_undated(path.suffix))
    write_atomically(path, buffer.getvalue())


def _undated(suffix: str) -> dict[str, None]:
    """No date inside, so that the same figure is the same file."""
    return {} if suffix == ".png" else {"Date" if suffix == ".svg" else "CreationDate": None}
