"""A table of sessions, CSV or Parquet: one row per shown item.

session, query, position, item, click       click is 0 or 1
"""

from collections.abc import Sequence

from unirank.logs.reading.bad_kinds import (
    BEYOND,
    GAP,
    MISSING,
    NOT_A_CLICK,
    NOT_A_NUMBER,
    TWICE,
)
from unirank.logs.reading.expressions import (
    LARGEST_PAGE,
    Column,
    Table,
    as_logged,
    bit,
    first_true,
    ibis,
    item_columns,
    narrow,
    number,
    one_of,
    truth,
)
from unirank.logs.reading.page_patterns import PageTable, overview


class SessionTable:
    """One row per shown item; the rows of one session and query are a page."""

    def __init__(self, table: Table, first_position: int) -> None:
        position = number(table.position) - first_position
        click = truth(table.click)
        missing = _empty(table.session) | _empty(table.query) | _empty(table.item)
        bad = first_true(
            [
                (table.fault.notnull(), table.fault),
                (missing, MISSING),
                (position.isnull() | click.isnull(), NOT_A_NUMBER),
                ((position < 0) | (position >= LARGEST_PAGE), BEYOND),
                (~click.isin([0, 1]), NOT_A_CLICK),
            ]
        )
        self._rows = table.select(
            bad=bad,
            line=as_logged(table),
            session=table.session.cast("string"),
            query=table.query.cast("string"),
            item=table.item.cast("string"),
            position=position,
            click=click,
        )

    def rows(self) -> Table:
        return self._rows

    def overview(self) -> Table:
        """Count rows by kind of bad row and pages by query; a page has one row at the top."""
        rows, good = self._rows, self._rows.bad.isnull()
        return overview(
            rows,
            bad=rows.bad,
            query=ibis().ifelse(good, rows.query, None),
            pages=good & (rows.position == 0),
            width=ibis().ifelse(good, rows.position + 1, 0),
            test=ibis().literal(False),
        )

    def pages(self, queries: Sequence[str] | None, width: int) -> PageTable:
        """Put the items of each session and query into one row."""
        rows = self._rows
        rows = rows.filter(rows.bad.isnull() & one_of(rows.query, queries))
        names = item_columns(width)
        items = {name: rows.item.max(where=rows.position == k) for k, name in enumerate(names)}
        pages = rows.group_by("session", "query").agg(
            n_rows=rows.count(),
            deepest=rows.position.max(),
            mask=ibis().ifelse(rows.click == 1, bit(rows.position), 0).sum(),
            **items,
        )
        n_filled = sum(pages[name].notnull().cast("int64") for name in names)
        defect = first_true(
            [(pages.n_rows != n_filled, TWICE), (n_filled != pages.deepest + 1, GAP)]
        )
        # A position filled twice could make the sum of bits too large.
        mask = narrow(ibis().ifelse(defect.isnull(), pages.mask, 0))
        columns = {"mask": mask, "defect": defect}
        return PageTable(pages.select("session", "query", *names, **columns), {})


def _empty(column: Column) -> Column:
    return column.isnull() | (column.cast("string") == "")
