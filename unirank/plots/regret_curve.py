"""Regret against rounds: a line for the mean, a band for its standard error."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.plots.legend import Labelled, add_legend, columns_of, dashes_of
from unirank.plots.panels import (
    drawn_rounds,
    figure_of,
    said,
    scale_linearly,
    scale_rounds,
    settled,
    width_of,
)
from unirank.plots.saving import drawn
from unirank.plots.theme import STYLE, colour_of
from unirank.simulation import Trace
from unirank.theory import Bound

FAR_OFF = 5  # times the second worst: a policy that learns nothing would flatten all the others


def regret(
    trace: Trace,
    *more: Trace,
    title: str = "",
    y: Literal["linear", "log"] = "linear",
    path: str | PathLike[str] | None = None,
) -> Any:
    """Draw the regret of one or several traces in one panel.

    Each curve is the mean over games, its band the standard error. Return the matplotlib figure,
    saved to `path` if one is given.

    >>> from unirank import CM, simulate
    >>> scale = {"n_positions": 2, "n_rounds": 1000, "n_games": 3}
    >>> traces = [simulate(name, CM([0.5, 0.4, 0.1]), **scale) for name in ("unirank", "random")]
    >>> len(regret(*traces, title="Three items").axes[0].lines)
    2
    """
    for one in (trace, *more):
        if not isinstance(one, Trace):
            raise ArgumentError(
                f"trace must be what simulate returns, got {one!r:.80}; "
                "give several as regret(first, second)"
            )
    return drawn(plot_regret({title: [trace, *more]}, y=y), path)


def plot_regret(
    panels: Mapping[str, Sequence[Trace]],
    *,
    y: Literal["linear", "log"] = "linear",
    bounds: Mapping[str, Sequence[Bound]] | None = None,
) -> Any:
    """Draw one panel per title, with one legend for all; return the matplotlib figure.

    `bounds` are drawn into the panel of their title, as constant * ln(rounds).
    """
    bounds = bounds or {}
    curves: list[Labelled] = [trace for traces in panels.values() for trace in traces]
    dashes = dashes_of([*curves, *(bound for found in bounds.values() for bound in found)])
    with optional("matplotlib", "lab").rc_context(STYLE):
        columns = columns_of(dashes, width_of(len(panels)))
        label = "cumulative regret (clicks lost)"
        figure, places = figure_of(panels, label, n_legend_rows=max(map(len, columns)))
        for axes, (title, traces) in zip(places, panels.items(), strict=True):
            axes.set_yscale(y)
            scale_rounds(axes, max(trace.n_rounds for trace in traces))
            for trace in traces:
                draw_trace(axes, trace, y, dashes[trace.policy, trace.label])
            for bound in bounds.get(title, ()):
                draw_bound(axes, bound, traces, dashes[bound.policy, bound.label])
            if y == "linear":
                scale_linearly(axes, 0, top_of(traces, bounds.get(title, ())))
        games = said(trace.n_games for traces in panels.values() for trace in traces)
        add_legend(figure, columns, dashes, f"mean ± standard error of {games} games")
        return settled(figure)


def top_of(traces: Sequence[Trace], bounds: Sequence[Bound] = ()) -> float:
    """Return the end of a linear axis: above all traces, or all but one that is far off."""
    highest = sorted(
        float(trace.mean[-1] + np.nan_to_num(trace.standard_error[-1])) for trace in traces
    )
    last = float(np.log(max(trace.n_rounds for trace in traces)))
    allowed = 1.05 * max((bound.constant * last for bound in bounds), default=0.0)
    if len(highest) > 1 and highest[-1] > FAR_OFF * highest[-2] > 0:
        return max(1.15 * highest[-2], allowed)
    return max(1.05 * highest[-1], allowed) or 1.0  # a policy may lose nothing at all


def draw_trace(axes: Any, trace: Trace, y: Literal["linear", "log"], dashes: Any) -> None:
    """Draw one policy: a line and its band."""
    shown = drawn_rounds(axes, trace.rounds)
    rounds, mean, error = trace.rounds[shown], trace.mean[shown], trace.standard_error[shown]
    colour = colour_of(trace.policy)
    axes.plot(rounds, mean, color=colour, lw=1.2, ls=dashes)
    # A logarithmic axis has no place for a band that reaches 0.
    lower = mean - error if y == "linear" else (mean - error).clip(min=mean * 0.1)
    axes.fill_between(rounds, lower, mean + error, color=colour, alpha=0.25, lw=0)


def draw_bound(axes: Any, bound: Bound, traces: Sequence[Trace], dashes: Any) -> None:
    """Draw a bound at the rounds of the longest trace."""
    rounds = max(traces, key=lambda trace: trace.n_rounds).rounds
    rounds = rounds[drawn_rounds(axes, rounds)]
    colour = colour_of(bound.policy)
    axes.plot(rounds, bound.constant * np.log(rounds), color=colour, lw=1.0, ls=dashes)
