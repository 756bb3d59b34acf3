"""Logs of sessions: queries chosen, pages put together, tables counted."""

from typing import Any, NamedTuple

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading import counting
from unirank.logs.reading.bad_lines import BadLines, bad_rows, require_few, with_defects
from unirank.logs.reading.choosing import Choice, Wanted, in_order, most_frequent, require_bits
from unirank.logs.reading.collecting import Numbering, collected, collected_pages
from unirank.logs.reading.opening import Source, session_log
from unirank.logs.reading.pages import PageTable, patterns
from unirank.logs.reading.relations import Engine, Table, total
from unirank.logs.reading.watching import Watch
from unirank.logs.reading.yandex.grouped import GroupedLog
from unirank.logs.statistics import Pages, QueryStatistics


class Read(NamedTuple):
    """What one log gave."""

    queries: list[QueryStatistics]
    held_out: list[QueryStatistics]
    held_out_pages: list[Pages]
    bad: BadLines
    n_test_pages: int


def read_sessions(engine: Engine, source: Source, wanted: Wanted, watch: Watch) -> Read:
    """Which queries there are, then their pages; one pass over a Yandex log read as a whole."""
    whole = wanted.chosen.queries is None and wanted.chosen.n_queries is None
    watch.until(0.9 if whole else 0.5)
    log = session_log(engine, source, whole=whole, by_session=wanted.held_out > 0)
    if not isinstance(log, GroupedLog):  # its pages are still to be put together
        watch.until(0.4)
    overview = engine.keep(log.overview())
    bad = bad_rows(engine, overview, log.rows())
    require_few(bad, wanted.max_bad, hint=source.hint)
    queries, filtered, width, n_positions = _chosen(engine, overview, wanted.chosen)
    watch.until(0.95)
    pages = log.pages(queries if filtered else None, width)
    kept = engine.keep(patterns(pages.table, n_positions, wanted.held_out))
    bad = _with_defects(engine, bad, kept, pages)
    require_few(bad, wanted.max_bad, hint=source.hint)
    watch.until(1.0)
    good = kept.filter(kept.defect.isnull())
    counted = _counted(engine, good, wanted.tables, n_positions)
    numbering = Numbering(queries, counted["shown"])
    n_sessions = counted.pop("sessions")
    if "shown" not in wanted.tables:
        del counted["shown"]
    n_tests = engine.fetch(overview.aggregate(n=total(overview.tests)))["n"][0].as_py()
    kept_in, held = (
        collected(
            numbering,
            {name: _part(rows, is_held) for name, rows in counted.items()},
            n_positions,
            {row["query"]: row["sessions"] for row in _part(n_sessions, is_held).to_pylist()},
        )
        for is_held in (False, True)
    )
    if not wanted.held_out:
        return Read(kept_in, [], [], bad, n_tests)
    pages_held = collected_pages(numbering, engine.fetch(good.filter(good.held)), n_positions)
    return Read(kept_in, held, pages_held, bad, n_tests)


def _chosen(engine: Engine, overview: Table, chosen: Choice) -> tuple[list[str], bool, int, int]:
    """The queries, whether these are not all, the longest page of all, and of these."""
    frequencies = overview.filter(overview.query.notnull() & (overview.pages > 0))
    frequencies = frequencies.select("query", "width", weight="pages")
    whole = engine.fetch(
        frequencies.aggregate(n=frequencies.count(), width=frequencies.width.max())
    ).to_pylist()[0]
    if not whole["n"]:
        raise ArgumentError("the log has no page")
    found = engine.fetch(most_frequent(frequencies, chosen))
    queries = in_order(found["query"].to_pylist(), chosen)
    longest = max(found["width"].to_pylist())
    n_positions = chosen.n_positions or longest
    require_bits(n_positions)
    width = max(whole["width"], n_positions)
    return queries, len(queries) < whole["n"], width, n_positions


def _with_defects(engine: Engine, bad: BadLines, kept: Table, pages: PageTable) -> BadLines:
    wrong = kept.filter(kept.defect.notnull())
    rows = engine.fetch(wrong.group_by("defect").agg(n=total(wrong.sessions))).to_pylist()
    counts = {row["defect"]: row["n"] for row in rows}
    table = pages.table
    where = {kind: table.filter(table.defect == kind).select("session", "query") for kind in counts}
    for kind, lines in pages.leftover.items():
        counts[kind] = engine.fetch(lines.aggregate(n=lines.count()))["n"][0].as_py()
        where[kind] = lines
    return with_defects(engine, bad, counts, where)


def _counted(engine: Engine, good: Table, tables: set[str], n_positions: int) -> dict[str, Any]:
    """Rows of every wanted table; `shown` always, for it names all items."""
    rows = counting.placed(good, n_positions)
    plans = {"shown": counting.shown(rows)}
    if "first_click" in tables:
        plans["first_click"] = counting.first_click(rows)
    if "last_click" in tables:
        plans["last_click"] = counting.last_click(rows, n_positions)
    if "chains" in tables:
        plans["above"] = counting.above_last_click(rows, n_positions)
        plans["tails"] = counting.tails(good, n_positions)
    plans["sessions"] = good.group_by("held", "query").agg(sessions=total(good.sessions))
    return {name: engine.fetch(plan) for name, plan in plans.items()}


def _part(rows: Any, held: bool) -> Any:
    return rows.filter(rows["held"] if held else _inverted(rows["held"]))


def _inverted(column: Any) -> Any:
    return optional("pyarrow.compute", "logs").invert(column)
