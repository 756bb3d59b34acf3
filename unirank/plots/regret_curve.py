"""Regret against rounds: a line for the mean, a band for its standard error."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from unirank.extras import optional
from unirank.plots.legend import add_legend, arranged, dashes_of
from unirank.plots.panels import (
    drawn_rounds,
    figure_of,
    said,
    scale_linearly,
    scale_rounds,
    settled,
    width_of,
)
from unirank.plots.theme import STYLE, colour_of
from unirank.simulation import Trace

FAR_OFF = 5  # times the second worst: a policy that learns nothing would flatten all the others


def plot_regret(
    panels: Mapping[str, Sequence[Trace]], *, y: Literal["linear", "log"] = "linear"
) -> Any:
    """Draw one panel per title, with one legend for all; return the matplotlib figure."""
    dashes = dashes_of(trace for traces in panels.values() for trace in traces)
    with optional("matplotlib", "lab").rc_context(STYLE):
        columns = arranged(dashes, width_of(len(panels)))
        label = "cumulative regret (clicks lost)"
        figure, places = figure_of(panels, label, n_legend_rows=max(map(len, columns)))
        for axes, traces in zip(places, panels.values(), strict=True):
            axes.set_yscale(y)
            scale_rounds(axes, max(trace.n_rounds for trace in traces))
            for trace in traces:
                draw_trace(axes, trace, y, dashes[trace.policy, trace.label])
            if y == "linear":
                scale_linearly(axes, 0, top_of(traces))
        games = said(trace.n_games for traces in panels.values() for trace in traces)
        add_legend(figure, columns, dashes, f"mean ± standard error of {games} games")
        return settled(figure)


def top_of(traces: Sequence[Trace]) -> float:
    """Where a linear regret axis ends: above all, or above all but one that is far off."""
    highest = sorted(
        float(trace.mean[-1] + np.nan_to_num(trace.standard_error[-1])) for trace in traces
    )
    if len(highest) > 1 and highest[-1] > FAR_OFF * highest[-2] > 0:
        return 1.15 * highest[-2]
    return 1.05 * highest[-1] or 1.0  # a policy may lose nothing at all


def draw_trace(axes: Any, trace: Trace, y: Literal["linear", "log"], dashes: Any) -> None:
    """Draw one policy: a line and its band."""
    shown = drawn_rounds(axes, trace.rounds)
    rounds, mean, error = trace.rounds[shown], trace.mean[shown], trace.standard_error[shown]
    colour = colour_of(trace.policy)
    axes.plot(rounds, mean, color=colour, lw=1.2, ls=dashes)
    # A logarithmic axis has no place for a band that reaches 0.
    lower = mean - error if y == "linear" else (mean - error).clip(min=mean * 0.1)
    axes.fill_between(rounds, lower, mean + error, color=colour, alpha=0.25, lw=0)
