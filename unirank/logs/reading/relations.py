"""What runs a plan, and expressions that DuckDB, Spark and most warehouses compute alike."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from unirank.extras import optional

Table = Any  # an Ibis table; Ibis is optional, so its types cannot be named here
Column = Any

LARGEST_PAGE = 63  # positions: a page's clicks are the bits of one signed 64-bit number
REST = "unirank_rest"  # column of a CSV file's fields beyond the last named one


class Engine(Protocol):
    """Files in, Arrow tables out; `keep` computes a table once that is read several times."""

    is_warehouse: bool  # whether a log is one of its tables, rather than a file

    def lines(self, file: Path) -> Table:
        """A text file as a table with the one column `line`."""

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """A CSV file with a header, all columns as text."""

    def parquet(self, file: Path) -> Table: ...

    def table(self, name: str) -> Table:
        """A table of the warehouse; an error where there is no warehouse."""

    def keep(self, table: Table) -> Table: ...

    def fetch(self, table: Table) -> Any: ...

    def fraction(self) -> float | None:
        """How much of the present work is done, None where that is not known."""

    def close(self) -> None: ...


def ibis() -> ModuleType:
    return optional("ibis", "logs")


def bit(position: Column) -> Column:
    """2**position; the cast is for Spark, whose 1 << 40 is a 32-bit number."""
    return ibis().literal(1, "int8").cast("int64") << position


def either(masks: Column) -> Column:
    """The bits of all masks of a group; Ibis has no rule of its own for this on Spark."""
    either_of = ibis().udf.agg.builtin(_bits, name="bit_or", signature=(("int64",), "int64"))
    return either_of(masks)


def _bits(masks: Column) -> Column: ...


def highest_bit(mask: Column, n_positions: int, *, none: int) -> Column:
    """Position of the last click of a mask, `none` without one."""
    downward = [((mask & (1 << k)) != 0, k) for k in reversed(range(n_positions))]
    return ibis().cases(*downward, else_=none).cast("int64")


def first_true(cases: Iterable[tuple[Column, str]]) -> Column:
    """The name of the first condition that holds, null where none does."""
    return ibis().cases(*cases, else_=ibis().null("string"))


def narrow(summed: Column) -> Column:
    """A sum in 64 bits: DuckDB makes it 128, which Ibis does not know, leaving out a plain cast."""
    return summed.cast("decimal(38, 0)").cast("int64")


def total(column: Column) -> Column:
    return narrow(column.sum())


def item_columns(width: int) -> list[str]:
    """Names of the columns that hold a page's items from the top."""
    return [f"item_{position}" for position in range(width)]


def one_of(column: Column, values: Sequence[str] | None) -> Column:
    """Whether the column has one of the values; None stands for any."""
    return column.notnull() if values is None else column.isin(list(values))
