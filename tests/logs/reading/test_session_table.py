"""Tables of sessions with other column names, types and first positions."""

from pathlib import Path
from typing import Any

import polars as pl

from tests.logs.reading.writing import (
    assert_same,
    expected,
    random_sessions,
    session_rows,
    write_rows,
)
from unirank.logs.reading.log import LogStatistics, read_statistics

SESSIONS = random_sessions(60, seed=6)


def read(path: Path, **options: Any) -> LogStatistics:
    models = ["pbm", "cm", "ubm", "dcm"]
    return read_statistics(
        path, format="sessions", models=models, n_threads=1, max_bad=0, **options
    )


def test_other_names_and_other_columns(tmp_path: Path) -> None:
    rows = [{"more": 1, "url": row.pop("item"), **row} for row in session_rows(SESSIONS, 0)]
    path = write_rows(tmp_path / "log.csv", rows)
    found = read(path, columns={"item": "url"}, first_position=0)
    assert_same(found.queries, [one._replace(first_position=0) for one in expected(SESSIONS)])


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
