"""Read a log of sessions: select queries, assemble pages, count the tables."""

from typing import Any, NamedTuple

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading import page_patterns
from unirank.logs.reading.backends import Backend
from unirank.logs.reading.bad_lines import BadLines, bad_rows, require_few, with_defects
from unirank.logs.reading.expressions import Table, total
from unirank.logs.reading.log_source import LogSource
from unirank.logs.reading.page_patterns import PageTable, patterns
from unirank.logs.reading.progress import ProgressThread
from unirank.logs.reading.query_selection import (
    Request,
    Selection,
    in_order,
    most_frequent,
    require_bits,
)
from unirank.logs.reading.query_statistics import Numbering, collected, collected_pages
from unirank.logs.reading.session_table import SessionTable
from unirank.logs.reading.yandex import LAYOUTS, YandexLog
from unirank.logs.statistics import Pages, QueryStatistics


class ReadLog(NamedTuple):
    """The statistics of one log."""

    queries: list[QueryStatistics]
    held_out: list[QueryStatistics]
    held_out_pages: list[Pages]
    bad: BadLines
    n_test_pages: int


def read_sessions(
    backend: Backend, source: LogSource, request: Request, progress: ProgressThread
) -> ReadLog:
    """Count the queries first, then the pages of the selected ones."""
    whole = request.selection.queries is None and request.selection.n_queries is None
    progress.until(0.4)
    log: YandexLog | SessionTable
    if source.format.name in LAYOUTS:
        log = YandexLog(backend, source.table, LAYOUTS[source.format.name], whole=whole)
    else:
        log = SessionTable(source.table, source.first_position)
    overview = backend.keep(log.overview())
    bad = bad_rows(backend, overview, log.rows())
    require_few(bad, request.max_bad, remedy=source.remedy)
    queries, filtered, width, n_positions = _selected(backend, overview, source, request.selection)
    progress.until(0.95)
    pages = log.pages(queries if filtered else None, width)
    kept = backend.keep(patterns(pages.table, n_positions, request.held_out))
    bad = _with_defects(backend, bad, kept, pages)
    require_few(bad, request.max_bad, remedy=source.remedy)
    progress.until(1.0)
    good = kept.filter(kept.defect.isnull())
    counted = _counted(backend, good, request.tables, n_positions)
    numbering = Numbering(queries, counted["shown"])
    n_sessions = counted.pop("sessions")
    if "shown" not in request.tables:
        del counted["shown"]
    n_tests = backend.fetch(overview.aggregate(n=total(overview.tests)))["n"][0].as_py()
    kept_in, held = (
        collected(
            numbering,
            {name: _part(rows, is_held) for name, rows in counted.items()},
            n_positions,
            {row["query"]: row["sessions"] for row in _part(n_sessions, is_held).to_pylist()},
        )
        for is_held in (False, True)
    )
    if not request.held_out:
        return ReadLog(kept_in, [], [], bad, n_tests)
    pages_held = collected_pages(numbering, backend.fetch(good.filter(good.held)), n_positions)
    return ReadLog(kept_in, held, pages_held, bad, n_tests)


def _selected(
    backend: Backend, overview: Table, source: LogSource, selected: Selection
) -> tuple[list[str], bool, int, int]:
    """Return the queries, whether some are left out, and the longest page of all and of these."""
    frequencies = overview.filter(overview.query.notnull() & (overview.pages > 0))
    frequencies = frequencies.select("query", "width", weight="pages")
    whole = backend.fetch(
        frequencies.aggregate(n=frequencies.count(), width=frequencies.width.max())
    ).to_pylist()[0]
    if not whole["n"]:
        raise ArgumentError(_no_page(backend, overview, source))
    found = backend.fetch(most_frequent(frequencies, selected))
    queries = in_order(found["query"].to_pylist(), selected)
    longest = max(found["width"].to_pylist())
    n_positions = selected.n_positions or longest
    require_bits(n_positions)
    width = max(whole["width"], n_positions)
    return queries, len(queries) < whole["n"], width, n_positions


def _no_page(backend: Backend, overview: Table, source: LogSource) -> str:
    """Say why a log has no page: none of its lines is good, or none stands at the top."""
    good = overview.filter(overview.query.notnull())
    if source.format.text or not backend.fetch(good.limit(1)).num_rows:
        return "the log has no page"
    first = source.first_position
    remedy = "; do its positions count from 1?" if first == 0 else ", where every page begins"
    return f"no page has position {first}{remedy}"


def _with_defects(backend: Backend, bad: BadLines, kept: Table, pages: PageTable) -> BadLines:
    wrong = kept.filter(kept.defect.notnull())
    rows = backend.fetch(wrong.group_by("defect").agg(n=total(wrong.sessions))).to_pylist()
    counts = {row["defect"]: row["n"] for row in rows}
    table = pages.table
    where = {kind: table.filter(table.defect == kind).select("session", "query") for kind in counts}
    for kind, lines in pages.leftover.items():
        counts[kind] = backend.fetch(lines.aggregate(n=lines.count()))["n"][0].as_py()
        where[kind] = lines
    return with_defects(backend, bad, counts, where)


def _counted(backend: Backend, good: Table, tables: set[str], n_positions: int) -> dict[str, Any]:
    """Count every table needed; `shown` always, because it lists all items."""
    rows = page_patterns.placed(good, n_positions)
    plans = {"shown": page_patterns.shown(rows)}
    if "first_click" in tables:
        plans["first_click"] = page_patterns.first_click(rows)
    if "last_click" in tables:
        plans["last_click"] = page_patterns.last_click(rows, n_positions)
    if "chains" in tables:
        plans["above"] = page_patterns.above_last_click(rows, n_positions)
        plans["tails"] = page_patterns.tails(good, n_positions)
    plans["sessions"] = good.group_by("held", "query").agg(sessions=total(good.sessions))
    return {name: backend.fetch(plan) for name, plan in plans.items()}


def _part(rows: Any, held: bool) -> Any:
    return rows.filter(rows["held"] if held else _inverted(rows["held"]))


def _inverted(column: Any) -> Any:
    return optional("pyarrow.compute", "logs").invert(column)
