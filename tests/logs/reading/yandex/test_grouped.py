"""Logs put together in passing, block by block; and those that cannot be."""

from pathlib import Path
from typing import Any

import pytest

from tests.logs.reading.writing import (
    assert_same,
    expected,
    random_sessions,
    relpred_lines,
    search_lines,
    write_lines,
)
from unirank.errors import ArgumentError
from unirank.logs.reading import engine_duckdb, opening
from unirank.logs.reading.engine_duckdb import DuckDBEngine
from unirank.logs.reading.log import LogStatistics, read_statistics
from unirank.logs.reading.yandex import grouped
from unirank.logs.reading.yandex.grouped import GroupedLog
from unirank.logs.reading.yandex.layout import RELPRED
from unirank.logs.reading.yandex.seen import ScatteredError

SESSIONS = random_sessions(300, seed=9)
LINES = relpred_lines(SESSIONS)


def read(path: Path, **options: Any) -> LogStatistics:
    given = {"format": "yandex-relpred", "models": ["pbm", "cm", "ubm", "dcm"], **options}
    return read_statistics(path, max_bad=0.0, **given)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few sessions; and no other way to read than in passing."""

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(grouped, "BLOCK", 300)
    monkeypatch.setattr(engine_duckdb, "N_TOGETHER", 20)
    monkeypatch.setattr(opening, "ScatteredLog", never)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", ["log", "log.gz", "log.zst"])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_blocks_make_no_difference(tmp_path: Path, name: str, n_threads: int) -> None:
    path = write_lines(tmp_path / name, LINES)
    found = read(path, n_threads=n_threads)
    assert_same(found.queries, expected(SESSIONS))
    assert found.n_rows == len(LINES)
    two = read(path, n_threads=n_threads, n_queries=2)
    assert_same(two.queries, expected(SESSIONS)[:2])


@pytest.mark.usefixtures("small_blocks")
def test_held_out_sessions_are_those_of_any_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "log", search_lines(SESSIONS))
    found = read(path, format="yandex-search", held_out=0.3)
    monkeypatch.undo()
    monkeypatch.setattr(grouped, "whole_sessions", scattered)
    same = read(path, format="yandex-search", held_out=0.3)
    assert sum(each.n_sessions for each in found.held_out) > 50
    for name in ("queries", "held_out", "held_out_pages"):
        assert_same(getattr(found, name), getattr(same, name))


def scattered(*_: Any) -> Any:
    raise ScatteredError


@pytest.mark.parametrize("size", [200, 1 << 23])
def test_a_session_that_comes_back_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(grouped, "BLOCK", size)
    path = write_lines(tmp_path / "log", [*LINES[1:], LINES[0]])
    with pytest.raises(ScatteredError):
        whole(path)
    assert_same(read(path).queries, expected(SESSIONS))


@pytest.mark.parametrize("names", [["1", "2", "10", "2"], ["b", "a", "c", "a"], ["a", "7", "a"]])
def test_names_in_any_order_are_seen_to_come_back(tmp_path: Path, names: list[str]) -> None:
    lines = [f"{name}\t0\tQ\t7\t0\tx" for name in names]
    whole(write_lines(tmp_path / "once", lines[:-1]))
    with pytest.raises(ScatteredError):
        whole(write_lines(tmp_path / "again", lines))


def test_a_session_too_long_is_read_by_joins(tmp_path: Path) -> None:
    clicks = [f"0\t{time}\tC\tx" for time in range(2000)]
    path = write_lines(tmp_path / "log", ["0\t0\tQ\t7\t0\tx", *clicks])
    with pytest.raises(ScatteredError):
        whole(path)
    (found,) = read(path).queries
    assert found.n_sessions == 1


def whole(path: Path) -> GroupedLog:
    engine = DuckDBEngine(path.parent, "500MB", 2)
    return GroupedLog(engine, path, RELPRED, whole=True, by_session=False)


@pytest.mark.usefixtures("small_blocks")
def test_what_is_not_text_may_come_late(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", LINES)
    path.write_bytes(path.read_bytes() + b"x\t0\tC\t\xff\n" + b"y\t0\tC\t7\n" * 50)
    with pytest.raises(ArgumentError, match=r"is not text in UTF-8$"):
        read(path)


@pytest.mark.usefixtures("small_blocks")
def test_bad_lines_of_all_blocks_are_added_up(tmp_path: Path) -> None:
    lines = [line for n, line in enumerate(LINES) for line in ([line, f"bad {n}"])]
    path = write_lines(tmp_path / "log", lines)
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], max_bad=1.0)
    assert found.bad.counts == {"too few fields": len(LINES)}
    assert found.bad.examples == {"too few fields": ("bad 0", "bad 1", "bad 2")}
    assert found.n_rows == len(lines)
