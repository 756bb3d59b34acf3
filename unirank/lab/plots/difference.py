"""Differences of regret to a baseline, game by game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.lab.plots.legend import dashes_of, raised
from unirank.lab.plots.panels import draw_curve, draw_panels, scale_linearly
from unirank.lab.plots.regret_curve import FAR_OFF

NEAR_ZERO = 10  # a logarithmic axis is linear between minus and plus this


@dataclass(frozen=True, eq=False)
class Difference:
    """A curve minus the baseline: mean and standard error by round."""

    policy: str
    label: str
    rounds: NDArray[np.int64]
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    n_games: int


def plot_differences(
    panels: Mapping[str, Sequence[Difference]],
    *,
    against: str,
    lost: str = "clicks lost",
    known: Sequence[Any] = (),
    y: Literal["linear", "log"] = "linear",
) -> Any:
    """Draw one panel per title, 0 being the baseline `against`; return the matplotlib figure.

    `lost` is the unit of the differences, that of all their traces.
    `known` are the curves of the figure of regret, so that dashes are the same in both.
    """
    differences = [each for found in panels.values() for each in found]
    shown = {(each.policy, each.label) for each in differences}
    dashes = {key: look for key, look in dashes_of([*known, *differences]).items() if key in shown}

    def draw(axes: Any, _: str, found: Sequence[Difference]) -> None:
        axes.axhline(0, color="black", lw=0.8)
        if y == "log":
            axes.set_yscale("symlog", linthresh=NEAR_ZERO)
        for each in found:
            draw_curve(axes, each, each.rounds, each.mean, each.error, dashes)
        if y == "linear":
            scale_linearly(axes, *limits_of(found))

    label = f"{lost} (saved if below 0)\nagainst {raised(against)}"
    note = "differences, game by game"
    return draw_panels(panels, dashes, draw, y_label=label, note=note)


def limits_of(differences: Sequence[Difference]) -> tuple[float, float]:
    """Return the ends of a linear axis: around all, or all but one that is far off."""
    errors = [np.nan_to_num(each.error) for each in differences]
    low = min(0.0, *(float((g.mean - e).min()) for g, e in zip(differences, errors, strict=True)))
    highs = sorted(
        max(0.0, float((g.mean + e).max())) for g, e in zip(differences, errors, strict=True)
    )
    high = highs[-1]
    if len(highs) > 1 and high > FAR_OFF * max(highs[-2], -low) > 0:
        high = max(highs[-2], -0.2 * low)
    margin = 0.05 * (high - low) or 1.0  # it may never differ at all
    return low - margin, high + margin
