"""The bar shows games, speed and time left, and keeps quiet where nobody watches."""

import pytest

from unirank.simulation.progress import Progress


def test_the_bar_shows_games_rounds_per_second_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("unirank on pbm", 4, 100, shown=True) as bar:
        bar.show(200, 2)
    shown = capsys.readouterr().err
    assert "unirank on pbm" in shown
    assert "2/4 games" in shown
    assert "rounds/s" in shown
    assert ":" in shown


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("unirank on pbm", 4, 100, shown=None) as bar:
        bar.show(200, 2)
    assert capsys.readouterr().err.strip() == ""
