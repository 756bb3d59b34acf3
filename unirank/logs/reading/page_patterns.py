"""Different pages with their number of sessions, and the four tables of `statistics.py`.

A log has far fewer different pages than sessions, so all tables are counted from the different
pages. A page's clicks are the bits of one number, its mask: with k a position, the clicks above k
are mask & (2^k - 1). Sessions are held out by the MD5 of their id, which does not depend on the
backend, the order of lines or the number of sessions.
"""

from collections.abc import Mapping
from typing import NamedTuple

from unirank.logs.reading.expressions import (
    Column,
    Table,
    bit,
    highest_bit,
    ibis,
    item_columns,
    total,
)


class PageTable(NamedTuple):
    """One row per page: session, query, mask, defect and the items.

    The items from the top are the columns item_0 ..., or one text `shown` with tabs between.
    `leftover` holds the lines that belong to no page, by kind.
    """

    table: Table
    leftover: Mapping[str, Table]


def overview(
    rows: Table, *, bad: Column, query: Column, pages: Column, width: Column, test: Column
) -> Table:
    """Sum up the first pass over a log: columns bad, query, rows, pages, width, tests."""
    named = rows.select(bad=bad, query=query, page=pages, width=width, test=test)
    return named.group_by("bad", "query").agg(
        rows=named.count(),
        pages=total(named.page.cast("int64")),
        width=named.width.max(),
        tests=total(named.test.cast("int64")),
    )


def patterns(pages: Table, n_positions: int, held_out: float) -> Table:
    """Count the different pages, cut to n_positions.

    The items and clicks of defective pages are dropped, so that these are one row per query.
    """
    good = pages.defect.isnull()
    columns = ["shown"] if "shown" in pages.columns else item_columns(n_positions)
    items = {name: ibis().ifelse(good, pages[name], None) for name in columns}
    within = pages.mask & ((1 << n_positions) - 1)
    named = pages.select(
        "query",
        "defect",
        held=is_held_out(pages.session, held_out),
        mask=ibis().ifelse(good, within, 0).cast("int64"),
        **items,
    )
    counted = named.group_by("query", "defect", "held", "mask", *items).agg(sessions=named.count())
    return _split(counted, n_positions) if "shown" in items else counted


def _split(patterns: Table, n_positions: int) -> Table:
    """Split `shown` into columns and cut it to n_positions; add up pages that are now equal."""
    fields = patterns.shown.split("\t")
    items = {name: fields[k].nullif("") for k, name in enumerate(item_columns(n_positions))}
    cut = patterns.select("query", "defect", "held", "mask", "sessions", **items)
    return cut.group_by("query", "defect", "held", "mask", *items).agg(sessions=total(cut.sessions))


def is_held_out(session: Column, share: float) -> Column:
    """Whether the first 32 bits of the MD5, as a number in [0, 1), are below `share`."""
    if share == 0:
        return ibis().literal(False)
    return session.hexdigest("md5") < f"{round(share * 2**32):08x}"


def placed(patterns: Table, n_positions: int) -> Table:
    """One row per page and position, with the item there."""
    parts = [
        patterns.select(
            "held", "query", "sessions", "mask", item=name, position=ibis().literal(k, "int64")
        )
        for k, name in enumerate(item_columns(n_positions))
    ]
    every = ibis().union(*parts) if len(parts) > 1 else parts[0]
    return every.filter(every.item.notnull())


def shown(rows: Table) -> Table:
    return _counted(rows, "item", "position")


def first_click(rows: Table) -> Table:
    return _counted(rows.filter(_above(rows) == 0), "item")


def last_click(rows: Table, n_positions: int) -> Table:
    last = highest_bit(_above(rows), n_positions, none=n_positions - 1)
    return _counted(rows.mutate(last=last), "item", "position", "last")


def above_last_click(rows: Table, n_positions: int) -> Table:
    """The part of `Chains` above or at the last click."""
    rows = rows.mutate(end=highest_bit(rows.mask, n_positions, none=-1))
    read = rows.filter(rows.position <= rows.end)
    final = (read.position == read.end).cast("int64")
    return read.group_by("held", "query", "item", "position").agg(
        impressions=total(read.sessions),
        clicks=total(read.sessions * _click(read)),
        last_clicks=total(read.sessions * final),
    )


def tails(patterns: Table, n_positions: int) -> Table:
    """The part of `Chains` at the last click or below it."""
    names = item_columns(n_positions)
    pages = patterns.mutate(clicked=highest_bit(patterns.mask, n_positions, none=-1))
    below = {
        name: ibis().ifelse(pages.clicked <= k, pages[name], None) for k, name in enumerate(names)
    }
    ends = pages.select("held", "query", "clicked", "sessions", **below)
    return ends.group_by("held", "query", "clicked", *names).agg(sessions=total(ends.sessions))


def _counted(rows: Table, *keys: str) -> Table:
    return rows.group_by("held", "query", *keys).agg(
        impressions=total(rows.sessions), clicks=total(rows.sessions * _click(rows))
    )


def _click(rows: Table) -> Column:
    return (rows.mask >> rows.position) & 1


def _above(rows: Table) -> Column:
    return rows.mask & (bit(rows.position) - 1)
