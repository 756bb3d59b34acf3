"""Expressions that DuckDB, Spark and most warehouses compute alike; Ibis writes their SQL."""

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from unirank.extras import optional

Table = Any  # an Ibis table; Ibis is optional, so its types cannot be named here
Column = Any

LARGEST_PAGE = 63  # positions: a page's clicks are the bits of one signed 64-bit number


def ibis() -> ModuleType:
    return optional("ibis", "logs")


def bit(position: Column) -> Column:
    """2**position; the cast is for Spark, whose 1 << 40 is a 32-bit number."""
    return ibis().literal(1, "int8").cast("int64") << position


def highest_bit(mask: Column, n_positions: int, *, none: int) -> Column:
    """Position of the last click of a mask, `none` without one."""
    downward = [((mask & (1 << k)) != 0, k) for k in reversed(range(n_positions))]
    return ibis().cases(*downward, else_=none).cast("int64")


def first_true(cases: Iterable[tuple[Column, str]]) -> Column:
    """The name of the first condition that holds, null where none does."""
    return ibis().cases(*cases, else_=ibis().null("string"))


def total(column: Column) -> Column:
    """A sum in 64 bits: DuckDB makes it 128, and Ibis leaves out a plain cast."""
    return column.sum().cast("decimal(38, 0)").cast("int64")


def item_columns(width: int) -> list[str]:
    """Names of the columns that hold a page's items from the top."""
    return [f"item_{position}" for position in range(width)]


def one_of(column: Column, values: Sequence[str] | None) -> Column:
    """Whether the column has one of the values; None stands for any."""
    return column.notnull() if values is None else column.isin(list(values))
