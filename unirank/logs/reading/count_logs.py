"""Read a log of counts: a table of counts, or the lines of KDD Cup 2012, one per shown ad.

    kdd   click  impression  url  ad  advertiser  depth  position  query  keyword  title  text  user

`depth` is the number of ads on the page; positions count from 1.
"""

from unirank.errors import ArgumentError
from unirank.logs.reading.backends import Backend
from unirank.logs.reading.bad_kinds import (
    BEYOND,
    EXCESS,
    MISSING,
    NEGATIVE,
    NOT_A_NUMBER,
    TOO_FEW,
    TOO_LARGE,
    TOO_MANY,
)
from unirank.logs.reading.bad_lines import bad_rows, require_few
from unirank.logs.reading.expressions import (
    Column,
    Table,
    as_logged,
    first_true,
    ibis,
    number,
    total,
)
from unirank.logs.reading.log_source import LogSource
from unirank.logs.reading.progress import ProgressThread
from unirank.logs.reading.query_selection import Request, in_order, most_frequent, often_shown
from unirank.logs.reading.query_statistics import Numbering, collected
from unirank.logs.reading.session_logs import ReadLog

N_FIELDS = 12
MOST_POSITIONS = 1000  # of a page
MOST_COUNTED = 10**12  # in one row: sums of millions of rows have room in 64 bits
CLICK, IMPRESSION, AD, DEPTH, POSITION, QUERY = 0, 1, 3, 5, 6, 7


def kdd_rows(lines: Table, *, one_display_per_line: bool) -> Table:
    """Parse and check the lines of KDD Cup 2012 (track 2)."""
    split = lines.mutate(fields=lines.line.split("\t"))
    fields = split.fields
    names = {
        "clicks": CLICK,
        "impressions": IMPRESSION,
        "item": AD,
        "depth": DEPTH,
        "place": POSITION,
        "query": QUERY,
    }
    parsed = split.select(
        "line",
        size=fields.length(),
        **{name: number(fields[k]) for name, k in names.items()},
    )
    numbers = [parsed[name].isnull() for name in names]
    rows = parsed.mutate(
        bad=first_true(
            [
                (parsed.size < N_FIELDS, TOO_FEW),
                (parsed.size > N_FIELDS, TOO_MANY),
                (_any(numbers), NOT_A_NUMBER),
                (~parsed.place.between(1, parsed.depth) | (parsed.place > MOST_POSITIONS), BEYOND),
                *_wrong_counts(parsed),
            ]
        ),
        position=parsed.place - 1,
    )
    if one_display_per_line:
        rows = rows.mutate(
            impressions=ibis().literal(1, "int64"), clicks=(rows.clicks > 0).cast("int64")
        )
    return rows


def count_rows(table: Table, first_position: int) -> Table:
    """Parse and check the rows of a table of counts."""
    parsed = table.mutate(
        line=as_logged(table),
        position=number(table.position) - first_position,
        impressions=number(table.impressions),
        clicks=number(table.clicks),
    )
    missing = [
        table[name].isnull() | (table[name].cast("string") == "") for name in ("query", "item")
    ]
    numbers = [parsed[name].isnull() for name in ("position", "impressions", "clicks")]
    bad = first_true(
        [
            (table.fault.notnull(), table.fault),
            (_any(missing), MISSING),
            (_any(numbers), NOT_A_NUMBER),
            ((parsed.position < 0) | (parsed.position >= MOST_POSITIONS), BEYOND),
            *_wrong_counts(parsed),
        ]
    )
    return parsed.mutate(bad=bad).drop("fault")


def _wrong_counts(parsed: Table) -> list[tuple[Column, str]]:
    return [
        ((parsed.impressions > MOST_COUNTED) | (parsed.clicks > MOST_COUNTED), TOO_LARGE),
        ((parsed.impressions < 0) | (parsed.clicks < 0), NEGATIVE),
        (parsed.clicks > parsed.impressions, EXCESS),
    ]


def _any(conditions: list[Column]) -> Column:
    found = conditions[0]
    for condition in conditions[1:]:
        found = found | condition
    return found


def cells(rows: Table) -> Table:
    """Sum by query, item and position; bad rows become one row per kind."""
    good = rows.bad.isnull()
    kept = {
        name: ibis().ifelse(good, rows[name], None)
        for name in ("query", "item", "position", "impressions", "clicks")
    }
    named = rows.select("bad", **kept)
    return named.group_by("bad", "query", "item", "position").agg(
        rows=named.count(),
        impressions=total(named.impressions),
        clicks=total(named.clicks),
    )


def read_counts(
    backend: Backend, source: LogSource, request: Request, progress: ProgressThread
) -> ReadLog:
    """Sum the counts in one pass over the log, then select queries and items from the sums."""
    progress.until(0.95)
    selected = request.selection
    if source.format.name == "kdd":
        rows = kdd_rows(source.table, one_display_per_line=selected.one_display_per_line)
    elif selected.one_display_per_line:
        raise ArgumentError("one_display_per_line is for the format 'kdd'")
    else:
        rows = count_rows(source.table, source.first_position)
    summed = backend.keep(cells(rows))
    bad = bad_rows(backend, summed, rows)
    require_few(bad, request.max_bad, remedy=source.remedy)
    progress.until(1.0)
    good = summed.filter(summed.bad.isnull() & (summed.impressions > 0))
    n_positions = selected.n_positions or _longest(backend, good)
    good = often_shown(good, n_positions, selected)
    weights = good.group_by("query").agg(weight=total(good.impressions), width=good.position.max())
    weights = weights.mutate(query=weights.query.cast("string"))
    queries = in_order(
        backend.fetch(most_frequent(weights, selected))["query"].to_pylist(), selected
    )
    named = good.mutate(query=good.query.cast("string"), item=good.item.cast("string"))
    if selected.queries is not None or selected.n_queries is not None:
        named = named.filter(named.query.isin(queries))
    shown = backend.fetch(named.select("query", "item", "position", "impressions", "clicks"))
    numbering = Numbering(queries, shown)
    return ReadLog(collected(numbering, {"shown": shown}, n_positions, {}), [], [], bad, 0)


def _longest(backend: Backend, cells: Table) -> int:
    deepest = backend.fetch(cells.aggregate(n=cells.position.max()))["n"][0].as_py()
    if deepest is None:
        raise ArgumentError("the log has no display")
    return int(deepest) + 1
