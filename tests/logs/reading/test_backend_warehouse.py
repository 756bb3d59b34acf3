"""A warehouse that Ibis connects to: here SQLite, in a file."""

import sqlite3
from pathlib import Path

import pytest

from tests.logs.reading.writing import (
    assert_same,
    count_table,
    counts_of,
    expected,
    random_sessions,
    session_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.log import read_statistics

# Ibis asks pandas for an option that pandas is about to drop.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")
SESSIONS = random_sessions(50, seed=5)


@pytest.fixture
def url(tmp_path: Path) -> str:
    file = tmp_path / "house.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE pages (session, query, position INT, item, click INT)")
        rows = [tuple(row.values()) for row in session_rows(SESSIONS)]
        connection.executemany("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute(
            "CREATE TABLE counts (query TEXT, item TEXT, position INT, impressions INT, clicks INT)"
        )
        rows = [tuple(row.values()) for row in count_table(SESSIONS)]
        connection.executemany("INSERT INTO counts VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    return f"sqlite://{file}"


def test_counts(url: str) -> None:
    found = read_statistics("counts", format="counts", models=["pbm"], backend=url)
    assert_same(found.queries, counts_of(expected(SESSIONS)))


def test_sessions(url: str) -> None:
    models = ["pbm", "cm", "ubm", "dbn"]
    found = read_statistics("pages", format="sessions", models=models, backend=url)
    assert_same(found.queries, expected(SESSIONS))


def test_wrong_names(url: str) -> None:
    with pytest.raises(ArgumentError, match=r"unknown table of the warehouse 'count'"):
        read_statistics("count", format="counts", models=["pbm"], backend=url)
    with pytest.raises(ArgumentError, match=r"^cannot connect to 'nothing://here': "):
        read_statistics("counts", format="counts", models=["pbm"], backend="nothing://here")
