"""Joins, compiled code and their twin in plain Python read the same in logs full of mistakes."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.logs.reading.writing import assert_same
from tests.logs.reading.yandex.conftest import by_joins
from tests.reference.log_counting import Session, counted
from tests.reference.yandex_log import Log, is_held_out, read_log
from unirank.logs.reading.log import LogStatistics, read_statistics
from unirank.logs.statistics import Pages, QueryStatistics

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


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("format", ["yandex-relpred", "yandex-search"])
def test_both_readings_agree(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    seed: int,
    options: dict[str, Any],
) -> None:
    path = tmp_path / "log"
    log = read_log(write_messy(path, messy_lines(format, seed), seed), format)
    given = {"models": ["pbm", "ubm"], "max_bad": 1.0, "n_threads": 1, **options}
    found = read_statistics(path, format=format, **given)
    by_joins(monkeypatch)
    same = read_statistics(path, format=format, **given)
    assert len(found.bad.counts) > 6  # the log is as messy as it should be
    for each in (found, same):
        assert_as_twin(each, log, options)
    for name in ("queries", "held_out", "held_out_pages"):
        assert_same(getattr(found, name), getattr(same, name))
