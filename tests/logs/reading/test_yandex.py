"""Clicks find their page, and logs full of mistakes are read as plain Python reads them."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.logs.reading.writing import assert_same, random_sessions, relpred_lines, write_lines
from tests.reference.log_counting import Session, counted
from tests.reference.yandex_log import Log, is_held_out, read_log
from unirank.errors import ArgumentError
from unirank.logs.reading.log import LogStatistics, read_statistics
from unirank.logs.statistics import Pages, QueryStatistics

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
    ("format", "query", "cases"), [("yandex-relpred", 3, RELPRED), ("yandex-search", 4, SEARCH)]
)
def test_clicks_belong(
    tmp_path: Path, format: str, query: int, cases: list[tuple[str, list[str], list[Session]]]
) -> None:
    """All cases in one log; the name of its case stands before each session and query."""
    lines, sessions = [], []
    for name, of_case, expected in cases:
        for fields in (line.split(" ") for line in of_case):
            fields[0] = f"{name} {fields[0]}"
            if fields[2] == "Q":
                fields[query] = f"{name} {fields[query]}"
            lines.append("\t".join(fields))
        sessions += [session._replace(query=f"{name} {session.query}") for session in expected]
    path = write_lines(tmp_path / "log", lines)
    models = ["pbm", "cm", "ubm", "ccm"]
    found = read_statistics(path, format=format, models=models, n_threads=1, max_bad=0)
    n_positions = max(len(session.items) for session in sessions)
    assert {each.query for each in found.queries} == {session.query for session in sessions}
    for each in found.queries:
        assert_same(each, counted(sessions, each.query, n_positions))


def test_pages_whose_clicks_are_kept_back_are_left_out(tmp_path: Path) -> None:
    lines = ["1 0 Q 0 7 1 a,1 b,1", "1 1 T 1 7 1 a,1 b,1", "2 1 T 0 8 1 a,1 b,1"]
    path = write_lines(tmp_path / "log", [line.replace(" ", "\t") for line in lines])
    found = read_statistics(path, format="yandex-search", models=["pbm"], n_threads=1)
    assert [(each.query, each.n_sessions) for each in found.queries] == [("7", 1)]
    assert (found.n_test_pages, found.bad.n_bad) == (2, 0)


SESSIONS = random_sessions(40, seed=3)


def test_a_page_logged_twice_is_left_out_with_its_copies(tmp_path: Path) -> None:
    lines = relpred_lines(SESSIONS, pages_per_session=1)
    copies = [line for line in lines if line.split("\t")[0] in ("0", "1", "2")]
    pages = [line for line in copies if "\tQ\t" in line]
    path = write_lines(tmp_path / "log", [*lines, *copies])
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1, max_bad=1)
    assert found.bad.counts == {"page logged twice": 2 * len(pages)}
    assert sum(each.n_sessions for each in found.queries) == len(SESSIONS) - len(pages)


def test_lines_of_other_sessions_are_not_put_together(tmp_path: Path) -> None:
    lines = ["1\t0\tQ\t7\t0\ta", "3\t0\tQ\t7\t0\ta", "2\t0\tQ\t8\t0\tb", "2\t1\tC\tnowhere"]
    path = write_lines(tmp_path / "log", lines)
    options = {"format": "yandex-relpred", "models": ["pbm"], "n_threads": 1, "max_bad": 1.0}
    assert read_statistics(path, **options).bad.n_bad == 1  # type: ignore[arg-type]
    one = read_statistics(path, **options, n_queries=1)  # type: ignore[arg-type]
    assert [each.query for each in one.queries] == ["7"]
    assert one.bad.n_bad == 0


def test_a_click_on_nothing_is_not_on_a_gap(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["1\t0\tQ\t7\t0\ta\t\tb", "1\t1\tC\t", "2\t0\tQ\t7\t0\ta"])
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1, max_bad=1)
    assert found.bad.counts == {"a position is missing": 1, "click without a query": 1}


def test_a_log_of_clicks_only_has_no_page(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["1\t0\tC\t7"])
    with pytest.raises(ArgumentError, match=r"^the log has no page$"):
        read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"n_queries": 2},
    {"held_out": 0.4, "n_queries": 5},
    {"n_positions": 2, "queries": ["~", "q"]},
]


def messy_lines(format: str, seed: int) -> list[str]:
    """Sessions of a few pages and clicks: copies, gaps, clicks on nothing, broken lines."""
    rng = np.random.default_rng(seed)

    def one_of(*choices: str) -> str:
        return str(rng.choice(choices))

    def item() -> str:
        return one_of("a", "b", "c", "cc", "é", "a b", '"', *(["", "a,1"] * (rng.random() < 0.4)))

    named = ["0"] if format == "yandex-search" else []
    alike = [["Q", *named, query, "1", "a"] for query in ("y", "x")]  # as frequent as each other
    lines = ["\t".join([f"{number}", "0", *fields]) for number, fields in enumerate(alike)]
    for number in range(150):
        session = one_of("s", "é") + str(number)
        for _ in range(int(rng.integers(1, 9))):
            odd = one_of("x", "", "-1", "٣", "1" * 17, "9" * 16)
            time, page = one_of("5", "5", "5", "10", "007", odd), one_of("0", "00", "1")
            query, size = one_of("q", "~", "\uf900", "😀"), int(rng.integers(1, 5))
            if rng.random() < 0.5:
                shown = [item() for _ in range(size)]
                domains = [f"{name}{one_of('', ',1', ',2')}" for name in shown]
                letter = one_of("Q", "Q", "Q", "T")
                search = [letter, page, query, "1", *domains]
                fields = search if format == "yandex-search" else [letter, query, "0", *shown]
            else:
                fields = ["C", page, item()] if format == "yandex-search" else ["C", item()]
            line = [session, time, *fields]
            lines.append(
                "\t".join(line[: int(rng.integers(1, 6))] if rng.random() < 0.05 else line)
            )
        if rng.random() < 0.2:
            long = "\t".join([session, "0", "Q", *["a"] * 70])
            begin, like_page = f"{session}\tM\t1\t2", f"{session}\tM\tQ\t0\tq\t1\ta,1"
            odd = f"{session}\t0\tX\ta\tb"
            lines.append(one_of("", "\t", begin, begin[:-2], like_page, odd, long))
    return lines


def write_messy(path: Path, lines: list[str], seed: int) -> list[str]:
    """Write the lines: sessions mixed, lines ended by CRLF, the last by nothing, as the seed says.

    The lines come back in the order they were written in.
    """
    end = "\r\n" if seed % 2 else "\n"
    if seed % 4 > 1:
        moved = np.arange(len(lines)) + np.random.default_rng(seed).integers(0, 9, len(lines))
        lines = [lines[number] for number in np.argsort(moved, kind="stable")]
    last = end if seed % 4 in (0, 3) or lines[-1] == "" else ""
    path.write_bytes((end.join(lines) + last).encode())
    return lines


def renumbered(part: QueryStatistics, whole: QueryStatistics) -> QueryStatistics:
    """The tables that were asked for, items numbered as in the whole."""
    number = np.array([whole.items.index(item) for item in part.items], np.int64)
    assert part.shown
    assert part.last_click
    return part._replace(
        items=whole.items,
        shown=part.shown._replace(item=number[part.shown.item]),
        last_click=part.last_click._replace(item=number[part.last_click.item]),
        first_click=None,
        chains=None,
    )


def assert_as_twin(found: LogStatistics, log: Log, options: dict[str, Any]) -> None:
    queries = options.get("queries", log.queries()[: options.get("n_queries")])
    limited = set(queries) < set(log.queries())
    assert found.bad.counts == log.bad_of(queries if limited else None)
    assert (found.n_rows, found.n_test_pages) == (log.n_rows, log.n_tests)
    lengths = [len(page.shown.items) for page in log.pages if page.shown.query in queries]
    n_positions = options.get("n_positions", max(lengths))
    halves: tuple[list[Session], list[Session]] = ([], [])
    for page in log.pages:
        if page.defect is None:
            query, items, clicks = page.shown
            clicks = tuple(position for position in clicks if position < n_positions)
            held = is_held_out(page.session, options.get("held_out", 0))
            halves[held].append(Session(query, items[:n_positions], clicks))
    assert [each.query for each in found.queries] == queries
    assert [each.query for each in found.held_out] == (queries if "held_out" in options else [])
    for counts, sessions in zip((found.queries, found.held_out), halves, strict=True):
        for each in counts:
            whole = counted([*halves[0], *halves[1]], each.query, n_positions)
            assert_same(each, renumbered(counted(sessions, each.query, n_positions), whole))
    for pages, half in zip(found.held_out_pages, found.held_out, strict=True):
        assert differing(pages, half.items) == Counter(
            (session.items, session.clicks) for session in halves[1] if session.query == pages.query
        )


def differing(pages: Pages, ids: tuple[str, ...]) -> dict[Any, int]:
    rows = zip(pages.items, pages.clicks, pages.sessions, strict=True)
    return {
        (tuple(ids[item] for item in items if item >= 0), tuple(np.flatnonzero(clicks))): int(n)
        for items, clicks, n in rows
    }


@pytest.mark.parametrize(
    ("seed", "options"),
    [(seed, OPTIONS[(seed + shift) % 4]) for shift in range(2) for seed in range(4)],
    ids=str,
)
@pytest.mark.parametrize("format", ["yandex-relpred", "yandex-search"])
def test_messy_logs(tmp_path: Path, format: str, seed: int, options: dict[str, Any]) -> None:
    path = tmp_path / "log"
    log = read_log(write_messy(path, messy_lines(format, seed), seed), format)
    given = {"models": ["pbm", "ubm"], "max_bad": 1.0, "n_threads": 1, **options}
    found = read_statistics(path, format=format, **given)
    assert len(found.bad.counts) > 6  # the log is as messy as it should be
    assert_as_twin(found, log, options)
