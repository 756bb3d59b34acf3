"""Pages as rows: who saw what from the top, and a bit for each position that was clicked.

Different pages are few against all pages, so everything is counted from the different ones, each
with its number of sessions. Sessions are held out by the MD5 of their id: by nothing that depends
on the backend, the order of lines or the number of sessions.
"""

from collections.abc import Mapping
from typing import NamedTuple

from unirank.logs.reading.relations import Column, Table, ibis, item_columns, total


class PageTable(NamedTuple):
    """Columns session, query, mask, defect, the items, and sessions: how many a row stands for.

    The items from the top are item_0 ..., or the one text `shown` with a tab before each of them.
    `leftover` is what fits no page, by kind, with its lines.
    """

    table: Table
    leftover: Mapping[str, Table]


class Overview:
    """The first pass over a log: columns bad, query, rows, pages, width, tests."""

    @staticmethod
    def of(
        rows: Table, *, bad: Column, query: Column, pages: Column, width: Column, test: Column
    ) -> Table:
        named = rows.select(bad=bad, query=query, page=pages, width=width, test=test)
        return named.group_by("bad", "query").agg(
            rows=named.count(),
            pages=total(named.page.cast("int64")),
            width=named.width.max(),
            tests=total(named.test.cast("int64")),
        )


def patterns(pages: Table, n_positions: int, held_out: float) -> Table:
    """The different pages, cut to n_positions, with their number of sessions.

    Pages with a defect have neither items nor clicks here, so that they are one row per query.
    """
    good = pages.defect.isnull()
    columns = ["shown"] if "shown" in pages.columns else item_columns(n_positions)
    items = {name: ibis().ifelse(good, pages[name], None) for name in columns}
    within = pages.mask & ((1 << n_positions) - 1)
    named = pages.select(
        "query",
        "defect",
        "sessions",
        held=is_held_out(pages.session, held_out),
        mask=ibis().ifelse(good, within, 0).cast("int64"),
        **items,
    )
    counted = named.group_by("query", "defect", "held", "mask", *items).agg(
        sessions=total(named.sessions)
    )
    return _split(counted, n_positions) if "shown" in items else counted


def _split(patterns: Table, n_positions: int) -> Table:
    """Items in columns, cut to n_positions, which makes some pages the same."""
    fields = patterns.shown.split("\t")
    items = {name: fields[k + 1].nullif("") for k, name in enumerate(item_columns(n_positions))}
    cut = patterns.select("query", "defect", "held", "mask", "sessions", **items)
    return cut.group_by("query", "defect", "held", "mask", *items).agg(sessions=total(cut.sessions))


def is_held_out(session: Column, share: float) -> Column:
    """Whether the first 32 bits of the MD5, read as a number in [0, 1), are below `share`."""
    if share == 0:
        return ibis().literal(False)
    return session.hexdigest("md5") < f"{round(share * 2**32):08x}"
