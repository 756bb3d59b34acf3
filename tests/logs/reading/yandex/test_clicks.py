"""To which page a click belongs, in both readings."""

from pathlib import Path

import pytest

from tests.logs.reading.writing import assert_same, write_lines
from tests.reference.log_counting import Session, counted
from unirank.logs.reading.log import read_statistics

RELPRED = [
    (
        "to the latest page that shows it",
        ["1 0 Q 7 0 a b", "1 5 Q 7 0 b a", "1 6 C a"],
        [Session("7", ("a", "b"), ()), Session("7", ("b", "a"), (1,))],
    ),
    (
        "to an earlier page if the latest does not show it",
        ["1 0 Q 7 0 a b", "1 5 Q 7 0 c", "1 6 C b"],
        [Session("7", ("a", "b"), (1,)), Session("7", ("c",), ())],
    ),
    (
        "not to a page that comes after it, wherever its line stands",
        ["1 6 Q 7 0 b a", "1 5 C a", "1 5 Q 7 0 a b"],
        [Session("7", ("b", "a"), ()), Session("7", ("a", "b"), (0,))],
    ),
    (
        "by time as a number",
        ["1 9 Q 7 0 a b", "1 10 Q 7 0 b a", "1 99 C a"],
        [Session("7", ("a", "b"), ()), Session("7", ("b", "a"), (1,))],
    ),
    (
        "not to a page of another session",
        ["1 0 Q 7 0 a b", "2 0 Q 7 0 a b", "2 6 C a", "1 7 C b"],
        [Session("7", ("a", "b"), (1,)), Session("7", ("a", "b"), (0,))],
    ),
    (
        "to the query that comes last, of pages at the same time",
        ["1 0 Q 7 0 a b", "1 0 Q 6 0 a b", "1 0 C a"],
        [Session("7", ("a", "b"), (0,)), Session("6", ("a", "b"), ())],
    ),
    (
        "once, however often it is repeated",
        ["1 0 Q 7 0 a b", "1 1 C a", "1 1 C a", "1 2 C a"],
        [Session("7", ("a", "b"), (0,))],
    ),
    (
        "where the url stands first on the page",
        ["1 0 Q 7 0 b a a", "1 1 C a"],
        [Session("7", ("b", "a", "a"), (1,))],
    ),
    (
        "by the whole url",
        ["1 0 Q 7 0 11 21 1 12", "1 1 C 1"],
        [Session("7", ("11", "21", "1", "12"), (2,))],
    ),
    (
        "of pages at the same time, whatever their queries begin with",
        ["1 0 Q ~~ 0 a b", "1 0 Q é 0 b a", "1 0 C a"],
        [Session("~~", ("a", "b"), ()), Session("é", ("b", "a"), (1,))],
    ),
    (
        "by characters, not bytes",
        ["é 0 Q ü 0 ä €€ ß", "é 1 C ß"],
        [Session("ü", ("ä", "€€", "ß"), (2,))],
    ),
]
SEARCH = [
    (
        "to the page it names",
        ["1 M 3 4", "1 0 Q 0 7 1 a,1 b,1", "1 5 Q 1 7 1 b,1 a,1", "1 6 C 0 a"],
        [Session("7", ("a", "b"), (0,)), Session("7", ("b", "a"), ())],
    ),
    (
        "by the url without its domain",
        ["1 0 Q 0 7 1 a,1 aa,1 aa", "1 5 C 0 aa"],
        [Session("7", ("a", "aa", "aa"), (1,))],
    ),
    (
        "of its own session",
        ["1 0 Q 0 7 1 a,1 b,1", "2 0 Q 0 7 1 a,1 b,1", "2 6 C 0 b"],
        [Session("7", ("a", "b"), ()), Session("7", ("a", "b"), (1,))],
    ),
]


@pytest.mark.parametrize(
    ("format", "lines", "sessions"),
    [
        *(pytest.param("yandex-relpred", *case[1:], id=case[0]) for case in RELPRED),
        *(pytest.param("yandex-search", *case[1:], id=case[0]) for case in SEARCH),
    ],
)
@pytest.mark.parametrize("n_queries", [None, 1])
@pytest.mark.usefixtures("reading")
def test_clicks(
    tmp_path: Path,
    format: str,
    lines: list[str],
    sessions: list[Session],
    n_queries: int | None,
) -> None:
    path = write_lines(tmp_path / "log", [line.replace(" ", "\t") for line in lines])
    found = read_statistics(
        path,
        format=format,
        models=["pbm", "cm", "ubm", "ccm"],
        n_threads=1,
        n_queries=n_queries,
        max_bad=0,
    )
    n_positions = max(len(session.items) for session in sessions)
    queries = sorted({session.query for session in sessions})[:n_queries]
    assert_same(found.queries, [counted(sessions, query, n_positions) for query in queries])


@pytest.mark.usefixtures("reading")
def test_pages_whose_clicks_are_kept_back_are_left_out(tmp_path: Path) -> None:
    lines = ["1 0 Q 0 7 1 a,1 b,1", "1 1 T 1 7 1 a,1 b,1", "2 1 T 0 8 1 a,1 b,1"]
    path = write_lines(tmp_path / "log", [line.replace(" ", "\t") for line in lines])
    found = read_statistics(path, format="yandex-search", models=["pbm"], n_threads=1)
    assert [(each.query, each.n_sessions) for each in found.queries] == [("7", 1)]
    assert (found.n_test_pages, found.bad.n_bad) == (2, 0)
