"""Run the command line inside the test, in an empty folder, and see which files it opens."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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


_counting: list[Counter[str]] = []  # of the test that runs now; an audit hook stays for good


def _count(event: str, details: tuple[Any, ...]) -> None:
    if _counting and event == "open" and isinstance(details[0], str | os.PathLike):
        path, mode, *_ = details
        if mode is not None and "r" in mode:
            _counting[-1][os.path.abspath(path)] += 1


sys.addaudithook(_count)


@pytest.fixture
def opened() -> Iterator[Counter[str]]:
    """How often each file was opened for reading since the counts were cleared."""
    counts: Counter[str] = Counter()
    _counting.append(counts)
    yield counts
    _counting.remove(counts)


@pytest.fixture
def closed_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test if a click log is opened."""

    def failing(*_: Any) -> None:
        pytest.fail("the log was opened")

    monkeypatch.setattr("unirank.logs.reading.log.open_log", failing)
