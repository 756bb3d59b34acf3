"""Clicks gained against a given order: below 0 while learning costs, above once it has paid."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

from unirank.errors import ArgumentError
from unirank.lab.plots.difference import Difference, limits_of
from unirank.lab.plots.legend import dashes_of
from unirank.lab.plots.panels import draw_curve, draw_panels, scale_linearly
from unirank.lab.plots.saving import drawn
from unirank.lab.simulation import Trace


def gain(
    trace: Trace,
    *more: Trace,
    order: Sequence[int],
    title: str = "",
    path: str | PathLike[str] | None = None,
) -> Any:
    """Draw the clicks gained by one or several traces against always showing `order`.

    Each curve is the mean over games, its band the standard error; it crosses 0 where the policy
    has paid back.

    Parameters
    ----------
    trace
        What `simulate` returned.
    more
        Further traces, of the same objective.
    order
        The ranking to compare with, such as today's: items of the click model.
    title
        Above the panel.
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
    >>> trace = simulate("unirank", CM([0.5, 0.4, 0.1]), **scale)
    >>> len(gain(trace, order=[2, 1]).axes[0].lines)  # the curve, and 0
    2
    """
    for one in (trace, *more):
        if not isinstance(one, Trace):
            raise ArgumentError(f"trace must be what simulate returns, got {one!r:.80}")
        if one.objective != trace.objective:
            raise ArgumentError(
                f"traces of one figure must have the same objective, got {trace.objective} and "
                f"{one.objective}"
            )
    curves = [_curve(one, order) for one in (trace, *more)]
    dashes = dashes_of(curves)

    def draw(axes: Any, _: str, found: Sequence[Difference]) -> None:
        axes.axhline(0, color="black", lw=0.8)
        for each in found:
            draw_curve(axes, each, each.rounds, each.mean, each.error, dashes)
        scale_linearly(axes, *limits_of(found))

    label = f"{trace.gained} against the given order"
    return drawn(draw_panels({title: curves}, dashes, draw, y_label=label, note="games"), path)


def _curve(trace: Trace, order: Sequence[int]) -> Difference:
    mean = trace.gain(order).mean(axis=0)
    error = trace.standard_error  # the loss of the order is the same in every game
    return Difference(trace.policy, trace.label, trace.rounds, mean, error, trace.n_games)
