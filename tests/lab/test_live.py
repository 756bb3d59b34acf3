"""What a long run shows."""

import pytest

from tests.lab.small import SMALL
from unirank.lab.blocks import blocks_of, curves_of, play
from unirank.lab.live import LiveView

CURVES = curves_of(SMALL, SMALL.policies, n_rounds=100, seed=0)
BLOCKS = [block for curve in CURVES for block in blocks_of(curve, range(2))]


def test_leaders_are_listed_by_their_regret() -> None:
    view = LiveView("small", BLOCKS, shown=False)
    assert view.leaders() == ""
    means = {}
    for block in BLOCKS:
        trace = play(block)
        means[trace.label] = trace.mean[-1]
        view.done(block, trace)
    best, worst = sorted(means, key=lambda label: means[label])
    assert view.leaders() == f"small: {best} {means[best]:,.0f}, {worst} {means[worst]:,.0f}"
    assert (view.finished_games, view.finished_rounds) == (4, 400)


def test_a_watched_run_shows_games_and_speed(capsys: pytest.CaptureFixture[str]) -> None:
    with LiveView("small", BLOCKS, shown=True) as view:
        view.done(BLOCKS[0], play(BLOCKS[0]))
    shown = capsys.readouterr().err
    assert "2/4 games" in shown
    assert "rounds/s" in shown


def test_nobody_watching_nothing_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with LiveView("small", BLOCKS, shown=False) as view:
        view.watch(50)
    assert capsys.readouterr().err == ""
