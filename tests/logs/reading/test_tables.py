"""Tables under other names, with other first positions, with columns that are not there."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.logs.reading.writing import (
    assert_same,
    count_table,
    counts_of,
    expected,
    random_sessions,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.log import LogStatistics, read_statistics

SESSIONS = random_sessions(60, seed=6)


def read(path: Path, format: str = "sessions", **options: Any) -> LogStatistics:
    models = ["pbm"] if format == "counts" else ["pbm", "cm", "ubm", "dcm"]
    return read_statistics(path, format=format, models=models, n_threads=1, max_bad=0, **options)


def test_other_names_and_other_columns(tmp_path: Path) -> None:
    rows = [{"more": 1, "url": row.pop("item"), **row} for row in session_rows(SESSIONS, 0)]
    path = write_rows(tmp_path / "log.csv", rows)
    found = read(path, columns={"item": "url"}, first_position=0)
    assert_same(found.queries, expected(SESSIONS))


def test_numbers_and_truth_values_of_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame(session_rows(SESSIONS)).with_columns(
        pl.col("session", "query", "item").cast(pl.Int32),
        pl.col("position").cast(pl.Int8),
        pl.col("click") == 1,
    )
    frame.write_parquet(tmp_path / "log.parquet")
    assert_same(read(tmp_path / "log.parquet").queries, expected(SESSIONS))


def test_ids_are_text_of_any_kind(tmp_path: Path) -> None:
    names = {item: f'{item}, "é"' for session in SESSIONS for item in session.items}
    other = [s._replace(items=tuple(names[item] for item in s.items)) for s in SESSIONS]
    path = write_rows(tmp_path / "log.parquet", session_rows(other))
    assert_same(read(path).queries, expected(other))
    rows = [{**row, "item": row["item"].replace('"', "'")} for row in session_rows(other)]
    path = write_rows(tmp_path / "log.csv", rows)
    plain = [s._replace(items=tuple(i.replace('"', "'") for i in s.items)) for s in other]
    assert_same(read(path).queries, expected(plain))


def test_one_session_may_see_several_queries(tmp_path: Path) -> None:
    rows = session_rows(SESSIONS)
    place = {
        query: [s for s in range(60) if SESSIONS[s].query == query] for query in ["7", "12", "3"]
    }
    for row in rows:
        row["session"] = str(place[row["query"]].index(int(row["session"])))
    path = write_rows(tmp_path / "log.csv", rows)
    assert_same(read(path).queries, expected(SESSIONS))


WRONG = [
    ("session,query,position,items,click", "no column 'item'; did you mean 'items'?"),
    ("session,query,position,click,xyz", "no column 'item'; there are session, query"),
    ("1,7,1,a1,0", "the table has no header: its first line has 1, 7, "),
    ("query,item,position,impressions,clicks", "this looks like counts: pass format='counts'"),
]


@pytest.mark.parametrize(("header", "message"), WRONG)
def test_missing_columns(tmp_path: Path, header: str, message: str) -> None:
    path = write_lines(tmp_path / "log.csv", [header, "1,7,1,a,0"])
    with pytest.raises(ArgumentError) as raised:
        read(path)
    assert message in str(raised.value)


def test_columns_we_do_not_have(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.csv", session_rows(SESSIONS))
    with pytest.raises(ArgumentError, match=r"unknown column of ours 'items'; did you mean 'item'"):
        read(path, columns={"items": "url"})


def test_counts_of_one_cell_are_added_up(tmp_path: Path) -> None:
    rows = count_table(SESSIONS[:30]) + count_table(SESSIONS[30:])
    path = write_rows(tmp_path / "log.csv", rows)
    assert_same(read(path, "counts").queries, counts_of(expected(SESSIONS)))
