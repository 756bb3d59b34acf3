"""Small tables through DuckDB, as the backend would run them."""

from typing import Any

import duckdb
import ibis
import pyarrow as pa


def small(columns: dict[str, list[Any]]) -> Any:
    """A table in memory; a column of nothing but None is text."""
    empty = {name for name, values in columns.items() if not any(v is not None for v in values)}
    arrays = {name: pa.array(v, pa.string()) if name in empty else v for name, v in columns.items()}
    return ibis.memtable(pa.table(arrays))


def fetched(table: Any) -> list[dict[str, Any]]:
    """The rows of an expression over tables in memory."""
    connection = duckdb.connect()
    for source in table.op().find(ibis.expr.operations.InMemoryTable):
        rows: pa.Table = source.data.to_pyarrow(source.schema)
        connection.register(source.name, rows)
    return connection.sql(ibis.to_sql(table, dialect="duckdb")).to_arrow_table().to_pylist()
