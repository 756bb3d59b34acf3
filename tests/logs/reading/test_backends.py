"""Backends leave nothing behind, whatever happens."""

import os
from pathlib import Path

import pytest

from tests.logs.reading.writing import write_lines
from unirank.errors import ArgumentError
from unirank.logs.reading.backend_duckdb import DuckDBBackend
from unirank.logs.reading.backends import memory_size, opened_backend
from unirank.logs.reading.log import read_statistics


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made during a test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt])
def test_the_folder_is_removed(temporary: Path, error: type[BaseException] | None) -> None:
    try:
        with opened_backend("duckdb", "1GB", 1):
            assert len(os.listdir(temporary)) == 1
            if error is not None:
                raise error
    except (ValueError, KeyboardInterrupt):
        assert error is not None
    assert os.listdir(temporary) == []


def test_a_log_that_stops_half_way_leaves_nothing(temporary: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["1\t2\t3"] * 50)
    with pytest.raises(ArgumentError, match=r"100.00% of 50 lines are bad"):
        read_statistics(path, format="yandex-search", models=["pbm"])
    assert os.listdir(temporary) == []


@pytest.mark.parametrize("n_threads", [None, 1, 100_000])
def test_there_are_at_most_as_many_threads_as_cores(n_threads: int | None) -> None:
    with opened_backend("duckdb", "1GB", n_threads) as backend:
        assert isinstance(backend, DuckDBBackend)
        found = backend._run("SELECT current_setting('threads') AS n")["n"][0].as_py()
    assert found == (1 if n_threads == 1 else os.cpu_count())


def test_no_thread_cannot_read() -> None:
    with (
        pytest.raises(ArgumentError, match=r"^n_threads must be >= 1, got 0$"),
        opened_backend("duckdb", "1GB", 0),
    ):
        pass


@pytest.mark.parametrize(("given", "plain"), [("2GB", "2GB"), (" 500 mb", "500MB")])
def test_sizes(given: str, plain: str) -> None:
    assert memory_size(given) == plain


@pytest.mark.parametrize("wrong", ["2", "GB", "-1GB", "0GB", "2TiB", ""])
def test_wrong_sizes(wrong: str) -> None:
    with pytest.raises(ArgumentError, match=r"^memory must be a size such as"):
        memory_size(wrong)
