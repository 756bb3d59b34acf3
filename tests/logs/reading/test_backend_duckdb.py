"""DuckDB reads lines as they are, and says in one line what it cannot read."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.logs.reading.test_log_file import cut
from tests.logs.reading.writing import (
    assert_same,
    expected,
    random_sessions,
    relpred_lines,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.backend_duckdb import DuckDBBackend
from unirank.logs.reading.backends import Backend, opened_backend
from unirank.logs.reading.bad_kinds import (
    GAP,
    NOT_TEXT,
    QUOTE,
    TOO_FEW,
    TOO_LONG,
    TOO_MANY,
    UNKNOWN,
)
from unirank.logs.reading.expressions import FAULT
from unirank.logs.reading.log import read_statistics

SESSIONS = random_sessions(50, seed=4)


@pytest.fixture
def backend(tmp_path: Path) -> Backend:
    return DuckDBBackend(tmp_path, "500MB", 1)


def test_lines_are_taken_as_they_are(backend: Backend, tmp_path: Path) -> None:
    lines = ['"a\tb', "", " c ", "d,e;f|'g'", "é"]
    path = write_lines(tmp_path / "it's a log", lines)
    found = backend.fetch(backend.lines(path))["line"].to_pylist()
    assert found == [line for line in lines if line]


def test_fields_that_miss_or_are_too_many(backend: Backend, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", ["a,b", '"x,y",2', "3", "4,5,6", "7,8,,10"])
    found = backend.fetch(backend.csv(path, ["a", "b"], ",")).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("x,y", "2", None),
        ("3", None, TOO_FEW),
        ("4", "5", TOO_MANY),
        ("7", "8", TOO_MANY),
    ]
    assert list(found[0]) == ["a", "b", FAULT]


FIELDS = [
    ('"a""b";c', 'a"b', "c"),
    ('"";"c;d"', "", "c;d"),
    (";c", "", "c"),
    ('5" disk;c', '5" disk', "c"),
    ("a;c;", "a", "c"),
]


def test_fields_in_quotes(backend: Backend, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", ["a;b", *(line for line, *_ in FIELDS)])
    found = backend.fetch(backend.csv(path, ["a", "b"], ";")).to_pylist()
    assert [tuple(row.values()) for row in found] == [(a, b, None) for _, a, b in FIELDS]


def test_an_open_quote_loses_its_own_line_only(tmp_path: Path) -> None:
    rows = [f"{n},7,{k},item{k},{n % 2}" for n in range(3000) for k in (1, 2, 3)]
    rows[3000] = rows[3000].replace("item1", '"item1')
    path = write_lines(tmp_path / "log.csv", ["session,query,position,item,click", *rows])
    found = read_statistics(path, format="sessions", models=["pbm"])
    assert (found.n_rows, found.queries[0].n_sessions) == (9000, 2999)
    assert found.bad.counts == {QUOTE: 1, GAP: 1}


def test_what_is_kept_is_there_again(backend: Backend, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["a", "b"])
    kept = backend.keep(backend.lines(path))
    path.unlink()
    assert backend.fetch(kept).num_rows == 2


UNREADABLE = [
    (b"1\t0\tQ\t7\t0\t" + b"a" * 3_000_000, {TOO_LONG: 1}),
    (b"1\t0\tQ\t7\t0\t\xff", {NOT_TEXT: 1}),
    (b"1\t0\t\x02", {UNKNOWN: 1}),
    (b"1\t0\t\x00", {NOT_TEXT: 1}),
    (b"1\t0\rQ\t7\t0\ta", {TOO_FEW: 1, UNKNOWN: 1}),
    (b"", {}),
]


@pytest.mark.parametrize(("line", "bad"), UNREADABLE)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_that_are_no_text_are_bad_lines(
    tmp_path: Path, line: bytes, bad: dict[str, int], end: bytes
) -> None:
    good = [b"%d\t0\tQ\t7\t0\ta" % n for n in range(9)]
    (tmp_path / "log").write_bytes(end.join([*good[:4], line]) + b"\n" + b"\r\n".join(good[4:]))
    settings: dict[str, Any] = {"format": "yandex-relpred", "models": ["pbm"], "max_bad": 1.0}
    for found in (
        read_statistics(tmp_path / "log", **settings),
        read_statistics(tmp_path / "log", **settings, queries=["7"]),  # reads the file twice
    ):
        assert (found.queries[0].n_sessions, found.bad.counts) == (9, bad)
        assert found.n_rows == 9 + sum(bad.values())
        assert all(len(each) < 200 for kind in bad for each in found.bad.examples[kind])


def test_a_truncated_file(backend: Backend, tmp_path: Path) -> None:
    lines = [f"{n}\t0\tQ\t{n * n % 97}\t0\ta" for n in range(20_000)]
    path = cut(write_lines(tmp_path / "log.gz", lines))
    with pytest.raises(ArgumentError, match=r"is cut short or not gz data$"):
        backend.fetch(backend.lines(path))
    with pytest.raises(ArgumentError, match=r"is cut short or not gz data$"):
        read_statistics(path, format="yandex-relpred", models=["pbm"])


def test_other_errors_are_one_line(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"PAR1 and no more")
    with pytest.raises(ArgumentError, match=r"^DuckDB cannot read the log: .*$"):
        backend.parquet(tmp_path / "log")


def test_a_database_file_is_a_warehouse(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "log.parquet", session_rows(SESSIONS))
    with duckdb.connect(str(tmp_path / "house.db")) as connection:
        connection.execute(f"CREATE TABLE clicks AS SELECT * FROM '{table}'")
    url = f"duckdb://{tmp_path}/house.db"
    models = ["pbm", "cm", "ubm", "dbn"]
    found = read_statistics("clicks", format="sessions", models=models, backend=url)
    assert_same(found.queries, expected(SESSIONS))
    with pytest.raises(ArgumentError, match=r"unknown table of the warehouse 'click'; did you"):
        read_statistics("click", format="sessions", models=models, backend=url)
    with pytest.raises(ArgumentError, match=r"'kdd' is read from a file, not a warehouse"):
        read_statistics("clicks", format="kdd", models=["pbm"], backend=url)


def test_too_little_memory_is_said(tmp_path: Path) -> None:
    rows = [f"0\t1\t0\t{n}\t0\t3\t1\t{n}\t0\t0\t0\t0" for n in range(200_000)]
    path = write_lines(tmp_path / "log", rows)
    with pytest.raises(ArgumentError, match=r"^memory must be larger for this log, got '1MB'$"):
        read_statistics(path, format="kdd", models=["pbm"], memory="1MB", n_threads=1)


def test_progress_is_known_while_it_works(tmp_path: Path) -> None:
    with opened_backend("duckdb", "500MB", 1) as backend:
        assert backend.fraction() is None
        backend.fetch(backend.lines(write_lines(tmp_path / "log", ["a"])))
        done = backend.fraction()
        assert done is None or 0 <= done <= 1


@pytest.mark.parametrize("name", ["log.tsv", "log.tsv.gz", "log.tsv.zst"])
def test_a_line_with_a_null_character_is_bad_and_not_cut_short(tmp_path: Path, name: str) -> None:
    # DuckDB ends a line at a null character: the page would have lost its last items.
    lines = [*relpred_lines(SESSIONS), "99\t0\tQ\t7\t0\t8\0\t9\t10"]
    path = write_lines(tmp_path / name, lines)
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], max_bad=0.5)
    assert (found.n_rows, found.bad.counts) == (len(lines), {NOT_TEXT: 1})
    assert_same([one.shown for one in found.queries], [one.shown for one in expected(SESSIONS)])


def test_a_null_character_in_a_table_is_a_bad_line(tmp_path: Path) -> None:
    content = b"query,item,position,impressions,clicks\nq,a,1,9,2\nq,b\0,2,9,1\n\0\n"
    (tmp_path / "log.csv").write_bytes(content)
    found = read_statistics(tmp_path / "log.csv", format="counts", models=["pbm"], max_bad=1)
    assert (found.n_rows, found.bad.counts) == (3, {NOT_TEXT: 2})
    assert found.queries[0].items == ("a",)
