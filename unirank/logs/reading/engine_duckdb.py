"""DuckDB in this process, with a memory limit; larger tables go to a temporary folder."""

from itertools import count
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading.engine_warehouse import require_table
from unirank.logs.reading.expressions import REST, Table, ibis
from unirank.logs.reading.log_file import not_text, too_long, truncated

NO_DELIM = "\x02"  # occurs in no log, so that a line is one field


class DuckDBEngine:
    """A database in memory; Ibis writes the SQL, DuckDB runs it."""

    def __init__(self, folder: Path, memory: str, n_threads: int, database: str = "") -> None:
        self.is_warehouse = bool(database)
        self._duckdb = optional("duckdb", "logs")
        self._file: Path | None = None
        self._memory = memory
        self._numbers = count()
        config = {
            "memory_limit": memory,
            "temp_directory": str(folder),
            "threads": n_threads,
            "preserve_insertion_order": False,  # saves memory
        }
        self._connection = self._duckdb.connect(config=config)
        # The first setting makes progress known, the second one keeps DuckDB from printing it.
        self._run("SET enable_progress_bar = true")
        self._run("SET enable_progress_bar_print = false")
        if database:
            self._run(f"ATTACH {_text(database)} AS warehouse (READ_ONLY)")

    def lines(self, file: Path) -> Table:
        self._file = file
        source = f"""read_csv({_text(file)}, columns = {{'line': 'VARCHAR'}}, delim = '{NO_DELIM}',
            quote = '', escape = '', header = false, auto_detect = false)"""
        return self._view(source, ["line"])

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """Missing fields are null; the field after the last column is in the column REST."""
        self._file = file
        named = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in [*columns, REST])
        source = f"""read_csv({_text(file)}, columns = {{{named}}}, delim = {_text(delimiter)},
            quote = '"', escape = '"', skip = 1, header = false, auto_detect = false,
            null_padding = true, strict_mode = false)"""
        return self._view(source, [*columns, REST])

    def parquet(self, file: Path) -> Table:
        self._file = file
        source = f"read_parquet({_text(file)})"
        described = self._run(f"SELECT * FROM {source} LIMIT 0")
        return self._view(source, ibis().Schema.from_pyarrow(described.schema))

    def table(self, name: str) -> Table:
        """Return a table of the database file; an unknown name raises, with the nearest name."""
        found = self._run(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'warehouse'"
        )
        require_table(name, found["table_name"].to_pylist())
        source = 'warehouse."' + name.replace('"', '""') + '"'
        described = self._run(f"SELECT * FROM {source} LIMIT 0")
        return self._view(source, ibis().Schema.from_pyarrow(described.schema))

    def keep(self, table: Table) -> Table:
        name = f"kept_{next(self._numbers)}"
        self._run(f"CREATE TEMP TABLE {name} AS {self._sql(table)}")
        return ibis().table(table.schema(), name=name)

    def fetch(self, table: Table) -> Any:
        return self._run(self._sql(table))

    def fraction(self) -> float | None:
        percent = self._connection.query_progress()
        return percent / 100 if percent >= 0 else None

    def close(self) -> None:
        self._connection.close()

    def _view(self, source: str, schema: Any) -> Table:
        name = f"view_{next(self._numbers)}"
        self._run(f"CREATE TEMP VIEW {name} AS SELECT * FROM {source}")
        named = dict.fromkeys(schema, "string") if isinstance(schema, list) else schema
        return ibis().table(named, name=name)

    def _sql(self, table: Table) -> str:
        return str(ibis().to_sql(table, dialect="duckdb"))

    def _run(self, sql: str) -> Any:
        try:
            found = self._connection.sql(sql)
            return None if found is None else found.to_arrow_table()
        except self._duckdb.Error as error:
            raise self._argument_error(error) from None

    def _argument_error(self, error: Exception) -> ArgumentError:
        """Turn DuckDB's error into a message of one line."""
        message, file = str(error), self._file
        if file is not None and "unicode" in message.lower():
            return not_text(file)
        if file is not None and "Maximum line size" in message:
            return too_long(file)
        if file is not None and isinstance(error, self._duckdb.IOException) and "GZIP" in message:
            return truncated(file)
        if isinstance(error, self._duckdb.OutOfMemoryException):
            return ArgumentError(f"memory must be larger for this log, got {self._memory!r}")
        return ArgumentError(f"DuckDB cannot read the log: {message.splitlines()[0]}")


def _text(value: object) -> str:
    """Quote a value as an SQL text constant."""
    return "'" + str(value).replace("'", "''") + "'"
