"""The figure shows what the traces say."""

from dataclasses import replace

import numpy as np
import pytest

from tests.lab.plots.curves import CURVES, PAPER, curve, curves
from unirank import CM, ArgumentError, PlainPolicy, Trace, simulate
from unirank.lab import plots
from unirank.lab.plots.regret_curve import plot_regret, top_of
from unirank.lab.plots.theme import colour_of
from unirank.lab.theory import Bound


def trace(policy: str, n_games: int = 3) -> Trace:
    users = CM([0.5, 0.3, 0.1])
    return simulate(policy, users, n_positions=1, n_rounds=10_000, n_games=n_games)


@pytest.fixture(scope="module")
def both() -> list[Trace]:
    return [trace("unirank"), trace("random")]


def test_the_line_is_the_mean_and_the_band_its_standard_error(both: list[Trace]) -> None:
    axes = plot_regret({"tiny": both}, y="log").axes[0]
    line, band = axes.lines[0], axes.collections[0]
    shown = both[0].rounds >= 10
    assert np.allclose(line.get_ydata(), both[0].mean[shown])
    vertices = band.get_paths()[0].vertices[:, 1]
    assert vertices.max() == pytest.approx((both[0].mean + both[0].standard_error).max())
    assert vertices.min() == pytest.approx((both[0].mean - both[0].standard_error)[shown].min())


def test_axes_are_named_and_rounds_are_logarithmic(both: list[Trace]) -> None:
    figure = plot_regret({"tiny": both}, y="log")
    (axes,) = figure.axes
    assert axes.get_title(loc="left") == "tiny"
    assert figure.get_supylabel() == "cumulative regret (clicks lost)"
    assert axes.get_xlabel() == "rounds"
    assert figure.legends[0].get_title().get_text() == "mean ± standard error of 3 games"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_the_figure_of_the_paper() -> None:
    figure = plot_regret({name: curves(name) for name in PAPER})
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(PAPER)
    for axes in figure.axes:
        assert [line.get_color() for line in axes.lines] == [colour_of(p) for p, _, _ in CURVES]
        assert axes.get_yscale() == "linear"
        assert axes.get_ylim()[0] == 0


def test_a_label_has_the_same_dashes_in_every_panel() -> None:
    figure = plot_regret({"all": curves(), "some": curves()[:0:-1]})
    first, second = (list(axes.lines) for axes in figure.axes)
    patterns = [line._dash_pattern for line in first]
    assert [line._dash_pattern for line in second] == patterns[:0:-1]
    assert patterns[1] != patterns[2]
    assert first[1].get_color() == first[2].get_color() != first[0].get_color()


def test_a_policy_that_is_far_off_does_not_flatten_the_others(both: list[Trace]) -> None:
    learner, floor = both
    assert floor.mean[-1] > 10 * learner.mean[-1]
    assert learner.mean[-1] < top_of(both) < 1.3 * (learner.mean + learner.standard_error)[-1]
    assert top_of([learner]) > learner.mean[-1]
    close = [curve(factor=1.0), curve(factor=4.0)]
    assert top_of(close) > close[1].mean[-1]
    assert plot_regret({"t": both}).axes[0].get_ylim() == (0, top_of(both))


@pytest.mark.parametrize("y", ["linear", "log"])
def test_a_single_game_can_be_plotted(y: str) -> None:
    figure = plot_regret({"one": [trace("unirank", n_games=1)]}, y=y)  # type: ignore[arg-type]
    assert np.isfinite(figure.axes[0].get_ylim()).all()


def test_a_policy_that_loses_nothing_can_be_plotted() -> None:
    figure = plot_regret({"one": [curve(factor=0.0)]})
    assert figure.axes[0].get_ylim() == (0, 1)


def test_single_games_do_not_make_the_axis_depend_on_their_order() -> None:
    pair = [trace("unirank", n_games=1), trace("random", n_games=1)]
    assert top_of(pair) == top_of(pair[::-1]) > pair[0].mean[-1]


def test_a_bound_is_a_dashed_line_in_its_own_panel() -> None:
    bound = Bound("unirank", "bound", 5.0)
    figure = plot_regret({"with": [curve()], "without": [curve()]}, bounds={"with": [bound]})
    with_bound, without = figure.axes
    assert (len(with_bound.lines), len(without.lines)) == (2, 1)
    line = with_bound.lines[1]
    assert np.allclose(line.get_ydata(), 5.0 * np.log(line.get_xdata()))
    assert line.get_color() == colour_of("unirank")
    assert line.is_dashed()
    assert with_bound.get_ylim()[1] == pytest.approx(1.05 * 5.0 * np.log(10_000))
    assert "bound" in [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_bound_far_above_all_is_still_in_the_panel() -> None:
    assert top_of([curve()], [Bound("unirank", "bound", 500.0)]) > 500 * np.log(10_000)


def test_traces_are_drawn_without_further_ado() -> None:
    axes = plots.regret(curve(), curve("toprank", "TopRank"), title="Two", y="log").axes[0]
    assert [line.get_color() for line in axes.lines] == [colour_of("unirank"), colour_of("toprank")]
    assert (axes.get_title(loc="left"), axes.get_yscale()) == ("Two", "log")
    with pytest.raises(ArgumentError, match=r"^trace must be what simulate returns, got \[Trace"):
        plots.regret([curve()])  # type: ignore[arg-type]


def test_a_class_of_your_own_has_its_name_as_label() -> None:
    class FirstItems(PlainPolicy):
        def rank(self, rng: object) -> list[int]:  # type: ignore[override]
            return list(range(self.n_positions))

        def update(self, ranking: object, clicks: object) -> None:  # type: ignore[override]
            pass

    own = simulate(FirstItems, CM([0.5, 0.3, 0.1]), n_positions=2, n_rounds=50, n_games=2)
    figure = plots.regret(own, curve())
    assert "FirstItems" in [text.get_text() for text in figure.legends[0].get_texts()]
    assert figure.axes[0].lines[0].get_color() == colour_of("FirstItems")


def test_the_axis_names_what_is_lost_and_never_two_things() -> None:
    other = replace(curve(), objective="any-click")
    label = plots.regret(other).get_supylabel()
    assert label == "cumulative regret (extra visits without a click)"
    with pytest.raises(ArgumentError) as caught:
        plots.regret(curve(), other)
    assert str(caught.value) == (
        "traces of one figure must have the same objective, got clicks lost and "
        "extra visits without a click"
    )
