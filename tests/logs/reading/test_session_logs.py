"""Which queries of a log of sessions are read, and what is left of a log that is all wrong."""

from pathlib import Path
from typing import Any

import pytest

from tests.logs.reading.writing import write_lines
from unirank.errors import ArgumentError
from unirank.logs.reading.log import LogStatistics, read_statistics

HEADER = "session,query,position,item,click"


def read(path: Path, **options: Any) -> LogStatistics:
    return read_statistics(
        path, format="sessions", models=["pbm"], n_threads=1, max_bad=1, **options
    )


def test_queries_by_pages_then_by_name(tmp_path: Path) -> None:
    queries = ["b", "a", "c", "c", "d"]
    rows = [f"{n},{query},1,x,0" for n, query in enumerate(queries)]
    rows += [f"9,d,{position},{position},0" for position in (2, 3)]  # rows, but not pages
    path = write_lines(tmp_path / "log.csv", [HEADER, *rows])
    assert [each.query for each in read(path, n_queries=3).queries] == ["c", "a", "b"]


def test_pages_are_as_long_as_the_longest_of_their_queries(tmp_path: Path) -> None:
    rows = ["1,a,1,x,0", "2,a,1,x,0", "1,b,1,x,0", "1,b,2,y,1", "1,b,3,z,0"]
    path = write_lines(tmp_path / "log.csv", [HEADER, *rows])
    assert [each.n_positions for each in read(path).queries] == [3, 3]
    assert [each.n_positions for each in read(path, n_queries=1).queries] == [1]


def test_a_query_without_a_good_page_has_no_items(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", [HEADER, "1,a,1,x,0", "2,b,1,x,0", "2,b,1,y,0"])
    found = read(path)
    assert [(each.query, each.items, each.n_sessions) for each in found.queries] == [
        ("b", (), 0),
        ("a", ("x",), 1),
    ]
    assert found.bad.counts == {"position filled twice": 1}


def test_a_log_without_a_page(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", [HEADER, "1,a,first,x,0"])
    with pytest.raises(ArgumentError, match=r"^the log has no page$"):
        read(path)
    with pytest.raises(ArgumentError, match=r"^the log has no page$"):
        read(write_lines(tmp_path / "header.csv", [HEADER]))


def test_a_log_without_a_top_position(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", [HEADER, "1,a,2,x,0"])
    with pytest.raises(ArgumentError, match=r"^no page has position 1, where every page begins$"):
        read(path)
    sentence = r"^no page has position 0; do its positions count from 1\?$"
    with pytest.raises(ArgumentError, match=sentence):
        read_statistics(path, format="sessions", models=["pbm"], first_position=0)
