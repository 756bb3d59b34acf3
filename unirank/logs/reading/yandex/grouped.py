"""A Yandex log whose sessions stand together: put together as it is read, by compiled code."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from unirank.extras import optional
from unirank.logs.reading.bad_lines import N_EXAMPLES, ORPHAN
from unirank.logs.reading.engine_duckdb import DuckDBEngine
from unirank.logs.reading.pages import PageTable
from unirank.logs.reading.relations import Table, ibis, one_of, total
from unirank.logs.reading.sources import Blocks
from unirank.logs.reading.yandex.cutting import TooLongError, whole_sessions
from unirank.logs.reading.yandex.layout import Layout
from unirank.logs.reading.yandex.parts import Part, hashes, taken_apart
from unirank.logs.reading.yandex.seen import ScatteredError, SeenSessions

BLOCK = 1 << 23  # bytes read at once; taking them apart needs several times as many
N_WORKERS = 8  # blocks at once, at most, whatever the number of cores: they take memory


class GroupedLog:
    """The first pass is made at once: it tells whether this log is one of these.

    It is not, a ScatteredError, if a session comes back after another one has begun, or has more
    lines than clicks can be matched to in passing.
    """

    def __init__(
        self, engine: DuckDBEngine, file: Path, layout: Layout, *, whole: bool, by_session: bool
    ) -> None:
        """`whole`: all pages will be wanted; `by_session`: it matters which session had a page."""
        self._engine, self._file, self._layout = engine, file, layout
        self._whole, self._by_session = whole, by_session
        self._n_lines: Counter[str | None] = Counter()  # by what is bad about them
        self._examples: dict[str, list[str]] = {}
        self._n_tests = 0
        try:
            self._pages = engine.gather(self._noted(), _as_they_are if whole else _by_query)
        except TooLongError:
            raise ScatteredError from None

    def rows(self) -> Table:
        """The first bad lines of each kind."""
        arrow = optional("pyarrow", "logs")
        pairs = [(kind, line) for kind, lines in self._examples.items() for line in lines]
        columns = [arrow.array([pair[k] for pair in pairs], arrow.string()) for k in (0, 1)]
        return self._lent(arrow.table(columns, ["bad", "line"]))

    def overview(self) -> Table:
        """What there is, by kind of bad line and by query."""
        arrow = optional("pyarrow", "logs")
        kinds = list(self._n_lines)
        n_kinds = len(kinds)
        others = {
            "bad": arrow.array(kinds, arrow.string()),
            "query": arrow.nulls(n_kinds, arrow.string()),
            "rows": [self._n_lines[kind] for kind in kinds],
            "pages": [0] * n_kinds,
            "width": [0] * n_kinds,
            "tests": [0 if kind else self._n_tests for kind in kinds],
        }
        counted = _by_query(self._pages)
        none = ibis().literal(0, "int64")
        pages = counted.select(
            "query", "width", bad=ibis().null("string"), rows=none, pages="sessions", tests=none
        )
        others_lent = self._lent(arrow.table(others))
        return ibis().union(pages.select(*others), others_lent.select(*others))

    def pages(self, queries: Sequence[str] | None, width: int) -> PageTable:
        """Pages of the queries with their clicks, and clicks in the same sessions without one."""
        rows = self._pages
        if not self._whole:
            parts = self._parts(queries, by_session=self._by_session)
            rows = self._engine.gather(
                ((share, part.pages) for share, part in parts),
                lambda rows: rows.filter(rows.query.isnull() | one_of(rows.query, queries)),
            )
        table, orphans = rows.filter(rows.query.notnull()), rows.filter(rows.query.isnull())
        lines = orphans.select(line="session " + orphans.session + ", url " + orphans.url)
        return PageTable(table.drop("url", "width"), {ORPHAN: lines})

    def _noted(self) -> Iterator[tuple[float, Any]]:
        """The pages of each part; what else the parts hold is added up."""
        sessions = SeenSessions()
        for share, part in self._parts(None, by_session=self._whole and self._by_session):
            sessions.add(part.sessions)
            self._n_lines.update(part.bad)
            self._n_lines[None] += part.n_lines - sum(part.bad.values())
            self._n_tests += part.n_tests
            for kind, lines in part.examples.items():
                known = self._examples.setdefault(kind, [])
                known += lines[: N_EXAMPLES - len(known)]
            yield share, part.pages
        sessions.require_different()

    def _parts(
        self, queries: Sequence[str] | None, *, by_session: bool
    ) -> Iterator[tuple[float, Part]]:
        """The blocks in their order, several taken apart at once, and the share that was read."""
        blocks, wanted = Blocks(self._file, BLOCK), hashes(queries or ())
        waiting: deque[Future[Part]] = deque()
        n_workers = min(self._engine.n_threads, N_WORKERS)
        with ThreadPoolExecutor(n_workers) as pool:
            try:
                for block in whole_sessions(iter(blocks), BLOCK):
                    task = (self._file, block, self._layout, wanted, by_session)
                    waiting.append(pool.submit(taken_apart, *task))
                    if len(waiting) > n_workers:  # one more than are at work
                        yield blocks.share, waiting.popleft().result()
                while waiting:
                    yield blocks.share, waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _lent(self, table: Any) -> Table:
        return self._engine.gather(iter([(1.0, table)]), _as_they_are)


def _as_they_are(rows: Table) -> Table:
    return rows


def _by_query(pages: Table) -> Table:
    shown = pages.filter(pages.query.notnull())
    return shown.group_by("query").agg(sessions=total(shown.sessions), width=shown.width.max())
