"""Regret against rounds: a line for the mean, a band for its standard error."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np

from unirank.errors import ArgumentError
from unirank.lab.plots.legend import Labelled, dashes_of
from unirank.lab.plots.panels import draw_curve, draw_panels, drawn_rounds, scale_linearly
from unirank.lab.plots.saving import drawn
from unirank.lab.plots.theme import colour_of
from unirank.lab.simulation import Trace
from unirank.lab.theory import Bound

FAR_OFF = 5  # times the second worst: a policy that learns nothing would flatten all the others


def regret(
    trace: Trace,
    *more: Trace,
    title: str = "",
    y: Literal["linear", "log"] = "linear",
    path: str | PathLike[str] | None = None,
) -> Any:
    """Draw the regret of one or several traces in one panel.

    Each curve is the mean over games, its band the standard error. A linear scale begins
    in the decade of rounds in which a curve leaves 0, a logarithmic one shows all.

    Parameters
    ----------
    trace
        What `simulate` returned.
    more
        Further traces, of the same objective.
    title
        Above the panel.
    y
        The scale of regret.
    path
        Where to save the figure, as PNG, PDF or SVG; by default nowhere.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Examples
    --------
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
    units = sorted({trace.lost for traces in panels.values() for trace in traces})
    if len(units) > 1:
        raise ArgumentError(
            f"traces of one figure must have the same objective, got {' and '.join(units)}"
        )
    (lost,) = units
    allowed = bounds or {}
    curves: list[Labelled] = [trace for traces in panels.values() for trace in traces]
    dashes = dashes_of([*curves, *(bound for found in allowed.values() for bound in found)])

    def draw(axes: Any, title: str, traces: Sequence[Trace]) -> None:
        axes.set_yscale(y)
        for trace in traces:
            draw_curve(axes, trace, trace.rounds, trace.mean, trace.standard_error, dashes)
        for bound in allowed.get(title, ()):
            rounds = max(traces, key=lambda trace: trace.n_rounds).rounds
            rounds = rounds[drawn_rounds(axes, rounds)]
            look = {"color": colour_of(bound.policy), "ls": dashes[bound.policy, bound.label]}
            axes.plot(rounds, bound.constant * np.log(rounds), lw=1.0, **look)
        if y == "linear":
            scale_linearly(axes, 0, top_of(traces, allowed.get(title, ())))

    label = f"cumulative regret ({lost})"
    return draw_panels(panels, dashes, draw, y_label=label, note="games")


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
