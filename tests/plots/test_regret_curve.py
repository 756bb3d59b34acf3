"""The figure shows what the traces say."""

from pathlib import Path

import numpy as np
import pytest

from unirank import CM, ArgumentError, Trace, simulate
from unirank.plots.regret_curve import plot_regret, save_figure, spread, top_of
from unirank.plots.theme import COLOURS


def trace(policy: str, n_games: int = 3) -> Trace:
    users = CM([0.5, 0.3, 0.1])
    return simulate(policy, users, n_positions=1, n_rounds=20_000, n_games=n_games)


@pytest.fixture(scope="module")
def both() -> list[Trace]:
    return [trace("unirank"), trace("random")]


def test_the_line_is_the_mean_and_the_band_its_standard_error(both: list[Trace]) -> None:
    axes = plot_regret({"tiny": both}).axes[0]
    line, band = axes.lines[0], axes.collections[0]
    shown = both[0].rounds >= 10
    assert np.allclose(line.get_ydata(), both[0].mean[shown])
    upper = band.get_paths()[0].vertices[:, 1].max()
    assert upper == pytest.approx((both[0].mean + both[0].standard_error).max())


def test_axes_are_named_and_rounds_are_logarithmic(both: list[Trace]) -> None:
    axes = plot_regret({"tiny": both}, y="log").axes[0]
    assert axes.get_title(loc="left") == "tiny"
    assert "regret" in axes.get_ylabel()
    assert axes.get_xlabel() == "rounds (mean ± standard error of 3 games)"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_policies_are_named_in_their_colour(both: list[Trace]) -> None:
    labels = {text.get_text(): text.get_color() for text in plot_regret({"t": both}).axes[0].texts}
    assert labels == {"unirank": COLOURS["unirank"], "random": COLOURS["random"]}


def test_a_policy_that_is_far_off_does_not_flatten_the_others(both: list[Trace]) -> None:
    learner, floor = both
    assert floor.mean[-1] > 10 * learner.mean[-1]
    assert learner.mean[-1] < top_of(both) < 1.3 * (learner.mean + learner.standard_error)[-1]
    assert top_of([learner]) > learner.mean[-1]


def test_a_single_game_can_be_plotted() -> None:
    figure = plot_regret({"one": [trace("unirank", n_games=1)]})
    assert np.isfinite(figure.axes[0].get_ylim()).all()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_figure_is_the_same_file(ending: str, both: list[Trace], tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.{ending}" for n in range(2)]
    for path in paths:
        save_figure(plot_regret({"tiny": both}), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_unknown_format_is_refused(both: list[Trace], tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"out must end in \.png, \.svg, \.pdf"):
        save_figure(plot_regret({"tiny": both}), tmp_path / "figure.gif")


def test_single_games_do_not_make_the_axis_depend_on_their_order() -> None:
    pair = [trace("unirank", n_games=1), trace("random", n_games=1)]
    assert top_of(pair) == top_of(pair[::-1]) > pair[0].mean[-1]


def test_variants_of_a_policy_share_its_colour_and_differ_in_their_dashes(
    both: list[Trace],
) -> None:
    lines = plot_regret({"tiny": [both[0], both[0], both[1]]}).axes[0].lines
    assert lines[0].get_color() == lines[1].get_color() != lines[2].get_color()
    assert lines[0].get_linestyle() != lines[1].get_linestyle()


def test_names_of_lines_that_end_together_are_kept_apart() -> None:
    moved = spread([0.5, 0.1, 0.5, 0.52], 0.07)
    assert moved[1] == 0.1
    assert np.diff(sorted(moved)).min() >= 0.07 - 1e-12
    assert moved[0] < moved[2] < moved[3]
