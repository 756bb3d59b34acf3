"""The four tables of `statistics.py`, counted from different pages and their clicks.

With c the clicks of a page as bits and k a position, the clicks above k are c & (2^k - 1).
"""

from unirank.logs.reading.relations import (
    Column,
    Table,
    bit,
    highest_bit,
    ibis,
    item_columns,
    total,
)


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
