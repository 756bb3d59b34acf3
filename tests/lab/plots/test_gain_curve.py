"""The figure of clicks gained against an order: its curves, and that it can be read."""

from typing import Any

import numpy as np
import pytest

import unirank as ur
from tests.lab.plots.looks import illegible
from unirank.errors import ArgumentError

USERS = ur.CM([0.5, 0.4, 0.1])


def test_a_curve_is_the_mean_gain_and_zero_is_drawn() -> None:
    scale = {"n_positions": 2, "n_rounds": 2000, "n_games": 4}
    traces = [ur.simulate(name, USERS, **scale) for name in ("unirank", "random")]  # type: ignore[arg-type]
    figure = ur.plots.gain(*traces, order=[1, 2], title="Three items")
    zero, curve, _ = figure.axes[0].lines
    assert set(zero.get_ydata()) == {0}
    assert curve.get_ydata()[-1] == pytest.approx(traces[0].gain([1, 2]).mean(axis=0)[-1])
    low, high = figure.axes[0].get_ylim()
    assert low < 0 < curve.get_ydata()[-1] < high
    assert illegible(figure) == []


def test_a_single_game_is_drawn_without_a_band() -> None:
    trace = ur.simulate("random", USERS, n_positions=2, n_rounds=100, n_games=1)
    assert np.isfinite(ur.plots.gain(trace, order=[1, 2]).axes[0].get_ylim()).all()


def test_something_else_than_a_trace_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^trace must be what simulate returns, got 'x'"):
        ur.plots.gain("x", order=[0, 1])  # type: ignore[arg-type]


def test_one_figure_has_one_objective() -> None:
    scale: dict[str, Any] = {"n_positions": 2, "n_rounds": 100, "n_games": 2}
    any_click = ur.simulate("random", USERS, objective="any-click", **scale)
    words = ur.plots.gain(any_click, order=[1, 2]).get_supylabel()
    assert words == "gain in any-click against the given order"
    with pytest.raises(ArgumentError, match=r"^traces of one figure must have the same objective"):
        ur.plots.gain(any_click, ur.simulate("random", USERS, **scale), order=[1, 2])
