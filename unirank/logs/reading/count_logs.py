"""Logs that hold counts: tables of counts, and the KDD Cup's lines of displays of an ad.

    kdd   click  impression  url  ad  advertiser  depth  position  query  keyword  title  text  user

`depth` is the number of ads on the page; positions count from 1.
"""

from unirank.logs.reading.bad_lines import (
    BEYOND,
    EMPTY,
    EXCESS,
    MISSING,
    NEGATIVE,
    NOT_A_NUMBER,
    TOO_FEW,
    TOO_MANY,
)
from unirank.logs.reading.relations import Column, Table, first_true, ibis, total
from unirank.logs.reading.tables import number

N_FIELDS = 12
CLICK, IMPRESSION, AD, DEPTH, POSITION, QUERY = 0, 1, 3, 5, 6, 7


def kdd_rows(lines: Table, *, one_display_per_line: bool) -> Table:
    """Checked lines of the KDD Cup 2012 (track 2)."""
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
        **{name: fields[k].try_cast("int64") for name, k in names.items()},
    )
    numbers = [parsed[name].isnull() for name in names]
    rows = parsed.mutate(
        bad=first_true(
            [
                (parsed.line.isnull() | (parsed.line == ""), EMPTY),
                (parsed.size < N_FIELDS, TOO_FEW),
                (parsed.size > N_FIELDS, TOO_MANY),
                (_any(numbers), NOT_A_NUMBER),
                ((parsed.place < 1) | (parsed.place > parsed.depth), BEYOND),
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
    """Checked rows of a table of counts."""
    parsed = table.mutate(
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
            (table.rest.notnull(), TOO_MANY),
            (_any(missing), MISSING),
            (_any(numbers), NOT_A_NUMBER),
            (parsed.position < 0, BEYOND),
            *_wrong_counts(parsed),
        ]
    )
    return parsed.mutate(bad=bad).drop("rest")


def _wrong_counts(parsed: Table) -> list[tuple[Column, str]]:
    return [
        ((parsed.impressions < 0) | (parsed.clicks < 0), NEGATIVE),
        (parsed.clicks > parsed.impressions, EXCESS),
    ]


def _any(conditions: list[Column]) -> Column:
    found = conditions[0]
    for condition in conditions[1:]:
        found = found | condition
    return found


def cells(rows: Table) -> Table:
    """Sums by query, item and position; bad rows are one row per kind. One pass over the file."""
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
