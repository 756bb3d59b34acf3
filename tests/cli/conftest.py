"""Run the command line inside the test, in an empty folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from unirank.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def unirank(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Call with the words of a command line; get exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run
