"""Ibis expressions that DuckDB, Spark and most warehouses compute equally."""

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from unirank.extras import optional

Table = Any  # an Ibis table; Ibis is optional, so its types cannot be named here
Column = Any

MOST = 10**18  # of a whole number; room for sums and differences in 64 bits
LARGEST_PAGE = 63  # positions: a page's clicks are the bits of one signed 64-bit number
FAULT = "unirank_fault"  # column that says what is wrong with a line of a CSV file, if anything


def ibis() -> ModuleType:
    return optional("ibis", "logs")


def bit(position: Column) -> Column:
    """2**position; the cast is for Spark, whose 1 << 40 is a 32-bit number."""
    return ibis().literal(1, "int8").cast("int64") << position


def either(masks: Column) -> Column:
    """Bitwise or of the masks of a group; Ibis does not translate its own for Spark."""
    either_of = ibis().udf.agg.builtin(_bits, name="bit_or", signature=(("int64",), "int64"))
    return either_of(masks)


def _bits(masks: Column) -> Column: ...


def highest_bit(mask: Column, n_positions: int, *, none: int) -> Column:
    """Position of the highest bit of a mask; `none` if the mask is 0."""
    downward = [((mask & (1 << k)) != 0, k) for k in reversed(range(n_positions))]
    return ibis().cases(*downward, else_=none).cast("int64")


def first_true(cases: Iterable[tuple[Column, str]]) -> Column:
    """The name of the first true condition, null if none is true."""
    return ibis().cases(*cases, else_=ibis().null("string"))


def narrow(summed: Column) -> Column:
    """A sum as int64. DuckDB sums in 128 bits; Ibis takes that for int64 and drops a plain cast."""
    return summed.cast("decimal(38, 0)").cast("int64")


def total(column: Column) -> Column:
    return narrow(column.sum())


def item_columns(width: int) -> list[str]:
    """Names of the columns of a page's items, from the top."""
    return [f"item_{position}" for position in range(width)]


def one_of(column: Column, values: Sequence[str] | None) -> Column:
    """Whether the column has one of the values; None allows any value."""
    return column.notnull() if values is None else column.isin(list(values))


def number(column: Column) -> Column:
    """A column as int64; null where the value is no whole number, or has more than 18 digits.

    Texts such as "7.0" are whole numbers, because other programs write them.
    """
    kind = column.type()
    if kind.is_boolean():
        return column.cast("int64")
    if kind.is_string():
        is_whole = column.re_search(r"^\s*[+-]?[0-9]{1,18}(\.0*)?\s*$")
        return ibis().ifelse(is_whole, column, None).try_cast("int64")
    is_whole = column.between(-MOST, MOST)
    if not kind.is_integer():
        is_whole = is_whole & (column == column.round())
    return ibis().ifelse(is_whole, column, None).cast("int64")


def as_logged(table: Table) -> Column:
    """The columns of a row as one text, as they are in the log: examples of bad rows show it."""
    names = [name for name in table.columns if name != "fault"]
    parts = [f"{name} " + table[name].cast("string").fill_null("") for name in names]
    return ibis().literal(", ").join(parts)


def truth(column: Column) -> Column:
    """A column of clicks as 0 and 1: the same as `number`, and the words true and false."""
    if not column.type().is_string():
        return number(column)
    word = column.strip().lower()
    return ibis().cases((word == "true", 1), (word == "false", 0), else_=number(column))
