"""Tables with a header, CSV or Parquet: one row per shown item, or counts.

    sessions   session, query, position, item, click             click is 0 or 1
    counts     query, item, position, impressions, clicks

`columns` maps our names to the table's; `first_position` is what the table calls the top.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from unirank.errors import ArgumentError, UnknownNameError
from unirank.logs.reading.bad_lines import (
    BEYOND,
    GAP,
    MISSING,
    NOT_A_CLICK,
    NOT_A_NUMBER,
    TOO_MANY,
    TWICE,
)
from unirank.logs.reading.pages import Overview, PageTable
from unirank.logs.reading.relations import (
    LARGEST_PAGE,
    REST,
    Column,
    Table,
    bit,
    first_true,
    ibis,
    item_columns,
    narrow,
    one_of,
)

SESSIONS = ("session", "query", "position", "item", "click")
COUNTS = ("query", "item", "position", "impressions", "clicks")


def named(table: Table, wanted: Sequence[str], columns: Mapping[str, str] | None) -> Table:
    """The wanted columns under our names, the others gone; or say which is missing."""
    columns = dict(columns or {})
    for name in columns:
        if name not in wanted:
            raise UnknownNameError("column of ours", name, wanted)
    there = [name for name in table.columns if name != REST]
    theirs = {name: columns.get(name, name) for name in wanted}
    missing = [name for name in theirs.values() if name not in there]
    if missing:
        raise ArgumentError(_missing(wanted, missing, there))
    rest = {"rest": table[REST]} if REST in table.columns else {"rest": ibis().null("string")}
    return table.select(**{name: table[column] for name, column in theirs.items()}, **rest)


def _missing(wanted: Sequence[str], missing: Sequence[str], there: Sequence[str]) -> str:
    if len(missing) == len(wanted) and any(name.isdigit() for name in there):
        return f"the table has no header: its first line has {', '.join(there)}"
    near = get_close_matches(missing[0], there, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(there)}"
    return f"the table has no column {missing[0]!r}; {hint}"


class SessionTable:
    """One row per item shown; a page is what one session saw for one query."""

    def __init__(self, table: Table, first_position: int) -> None:
        position = number(table.position) - first_position
        click = number(table.click)
        missing = _empty(table.session) | _empty(table.query) | _empty(table.item)
        bad = first_true(
            [
                (table.rest.notnull(), TOO_MANY),
                (missing, MISSING),
                (position.isnull() | click.isnull(), NOT_A_NUMBER),
                ((position < 0) | (position >= LARGEST_PAGE), BEYOND),
                (~click.isin([0, 1]), NOT_A_CLICK),
            ]
        )
        self._rows = table.select(
            bad=bad,
            session=table.session.cast("string"),
            query=table.query.cast("string"),
            item=table.item.cast("string"),
            position=position,
            click=click,
        )

    def rows(self) -> Table:
        return self._rows

    def overview(self) -> Table:
        """What there is, by kind of bad row and by query; a page is counted at its top."""
        rows, good = self._rows, self._rows.bad.isnull()
        return Overview.of(
            rows,
            bad=rows.bad,
            query=ibis().ifelse(good, rows.query, None),
            pages=good & (rows.position == 0),
            width=ibis().ifelse(good, rows.position + 1, 0),
            test=ibis().literal(False),
        )

    def pages(self, queries: Sequence[str] | None, width: int) -> PageTable:
        """Rows of one session and query side by side."""
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
        columns = {"mask": mask, "defect": defect, "sessions": ibis().literal(1, "int64")}
        return PageTable(pages.select("session", "query", *names, **columns), {})


def number(column: Column) -> Column:
    """A column of whole numbers or truth values, null where it is neither."""
    if column.type().is_boolean():
        return column.cast("int64")
    return column if column.type().is_integer() else column.try_cast("int64")


def _empty(column: Column) -> Column:
    return column.isnull() | (column.cast("string") == "")
