import sys

import pytest

from unirank.progress import ProgressBar

Captured = pytest.CaptureFixture[str]


def test_a_bar_shows_title_note_and_speed(capsys: Captured) -> None:
    with ProgressBar("unirank on pbm", 1000, unit="rounds", shown=True) as bar:
        bar.show(500, note="1/2 games")
    shown = capsys.readouterr().err
    for text in ("unirank on pbm", "1/2 games", "rounds/s"):
        assert text in shown


def test_bytes_are_shown_as_a_download_whose_total_comes_late(capsys: Captured) -> None:
    with ProgressBar("data.txt", None, unit="bytes", shown=True) as bar:
        bar.show(500_000, total=2_000_000)
    assert "0.5/2.0 MB" in capsys.readouterr().err


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_is_shown_only_on_a_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with ProgressBar("title", 1, unit="games") as bar:
        bar.show(1)
    assert ("title" in capsys.readouterr().err) is terminal
