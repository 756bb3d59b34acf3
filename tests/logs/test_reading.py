"""Whole readings: every format gives what counting the sessions one by one gives."""

from pathlib import Path
from typing import Any

import pytest

from tests.logs.writing import (
    assert_same,
    count_table,
    counts_of,
    expected,
    kdd_lines,
    random_sessions,
    relpred_lines,
    search_lines,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.needs import TABLE_OF
from unirank.logs.reading import read_statistics

MODELS = list(TABLE_OF)
SESSIONS = random_sessions(300, seed=1)


def read(path: Path, format: str, **options: Any) -> Any:
    options = {"models": MODELS, "n_threads": 1, "max_bad": 0.0, **options}
    return read_statistics(path, format=format, **options)


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize(
    ("format", "lines"),
    [("yandex-relpred", relpred_lines(SESSIONS)), ("yandex-search", search_lines(SESSIONS))],
)
def test_yandex_logs(tmp_path: Path, format: str, lines: list[str], ending: str) -> None:
    path = write_lines(tmp_path / f"log.txt{ending}", lines)
    found = read(path, format)
    assert_same(found.queries, expected(SESSIONS))
    assert (found.n_rows, found.bad.n_bad, found.held_out) == (len(lines), 0, [])


@pytest.mark.parametrize("name", ["log.csv", "log.csv.gz", "log.csv.zst", "log.parquet"])
def test_tables_of_sessions(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, session_rows(SESSIONS))
    assert_same(read(path, "sessions").queries, expected(SESSIONS))


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_tables_of_counts(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, count_table(SESSIONS, first_position=0))
    found = read(path, "counts", models=["pbm"], first_position=0)
    assert_same(sorted(found.queries), sorted(counts_of(expected(SESSIONS))))


def test_kdd(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "training.txt", kdd_lines(SESSIONS))
    found = read(path, "kdd", models=["pbm"])
    assert_same(found.queries, counts_of(expected(SESSIONS)))
