"""Files of other kinds than their format says, and other delimiters."""

from pathlib import Path

import pytest

from tests.logs.reading.writing import (
    assert_same,
    expected,
    random_sessions,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.log import read_statistics

SESSIONS = random_sessions(40, seed=7)
MODELS = ["pbm", "cm", "ubm", "dcm"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|", ","])
def test_delimiters_are_seen_in_the_header(tmp_path: Path, delimiter: str) -> None:
    rows = session_rows(SESSIONS)
    lines = [delimiter.join(rows[0]), *(delimiter.join(map(str, r.values())) for r in rows)]
    path = write_lines(tmp_path / "log.csv", [f"\ufeff{lines[0]}", *lines[1:]])
    found = read_statistics(path, format="sessions", models=MODELS, n_threads=1, max_bad=0)
    assert_same(found.queries, expected(SESSIONS))


def test_a_parquet_table_is_not_text(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.parquet", session_rows(SESSIONS))
    message = r"is a Parquet table and 'kdd' is text; formats of tables: counts, sessions$"
    with pytest.raises(ArgumentError, match=message):
        read_statistics(path, format="kdd", models=["pbm"])


def test_text_formats_have_their_own_columns(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"columns are for tables; the format 'kdd' has"):
        read_statistics(tmp_path, format="kdd", models=["pbm"], columns={"item": "url"})


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"'.*none.txt' does not exist$"):
        read_statistics(tmp_path / "none.txt", format="kdd", models=["pbm"])


WRONG = [
    (
        "session,query,position,items,click",
        "no column 'item'; did you mean 'items'? pass --columns item=items",
    ),
    (
        "session,query,position,click,xyz",
        "there are session, query, position, click, xyz; pass --columns item=NAME",
    ),
    ("1,7,1,a1,0", "the table has no header: its first line has 1, 7, "),
    ("x" * 131_072, "the table has no column 'session'; there are xxx"),
    ("x" * 131_073, "cannot be read: field larger than field limit (131072)"),
    ("query,item,position,impressions,clicks", "this looks like counts: pass --format counts"),
]


@pytest.mark.parametrize(("header", "message"), WRONG)
def test_missing_columns(tmp_path: Path, header: str, message: str) -> None:
    path = write_lines(tmp_path / "log.csv", [header, "1,7,1,a,0"])
    with pytest.raises(ArgumentError) as raised:
        read_statistics(path, format="sessions", models=["pbm"])
    assert message in str(raised.value)
    assert len(str(raised.value)) < 400


def test_a_name_that_columns_gave_is_missing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", ["user,query,position,url,clicked", "1,7,1,a,0"])
    columns = {"session": "user", "item": "link", "click": "clicked"}
    with pytest.raises(ArgumentError) as raised:
        read_statistics(path, format="sessions", models=["pbm"], columns=columns)
    assert str(raised.value) == (
        "the table has no column 'link'; there are user, query, position, url, clicked; "
        "pass --columns item=NAME"
    )


def test_unknown_columns(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.csv", session_rows(SESSIONS))
    with pytest.raises(ArgumentError, match=r"unknown column 'items'; did you mean 'item'"):
        read_statistics(path, format="sessions", models=["pbm"], columns={"items": "url"})
