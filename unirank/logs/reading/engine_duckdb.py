"""DuckDB inside this process: a limit on memory, what exceeds it goes to a temporary folder."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading.engine_warehouse import require_table
from unirank.logs.reading.relations import REST, Table, ibis
from unirank.logs.reading.sources import not_text, too_long, truncated

N_TOGETHER = 100_000  # rows inserted at once, if there are as many
NEVER = "\x02"  # a delimiter that no log has: a line is one field


class DuckDBEngine:
    """A database in memory; Ibis writes the SQL, DuckDB runs it."""

    def __init__(self, folder: Path, memory: str, n_threads: int, database: str = "") -> None:
        self.is_warehouse = bool(database)
        self._duckdb = optional("duckdb", "logs")
        self.n_threads = n_threads
        self._file: Path | None = None
        self._share: float | None = None  # of what is gathered
        self._memory = memory
        self._numbers = count()
        config = {
            "memory_limit": memory,
            "temp_directory": str(folder),
            "threads": n_threads,
            "preserve_insertion_order": False,  # would hold rows back until their turn
        }
        self._connection = self._duckdb.connect(config=config)
        # Without the first of these nothing is known of progress, without the second it is printed.
        self._run("SET enable_progress_bar = true")
        self._run("SET enable_progress_bar_print = false")
        if database:
            self._run(f"ATTACH {_text(database)} AS warehouse (READ_ONLY)")

    def lines(self, file: Path) -> Table:
        self._file = file
        source = f"""read_csv({_text(file)}, columns = {{'line': 'VARCHAR'}}, delim = '{NEVER}',
            quote = '', escape = '', header = false, auto_detect = false)"""
        return self._lent(source, ["line"])

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """Missing fields are null; those beyond the last column are in the column REST."""
        self._file = file
        named = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in [*columns, REST])
        source = f"""read_csv({_text(file)}, columns = {{{named}}}, delim = {_text(delimiter)},
            quote = '"', escape = '"', skip = 1, header = false, auto_detect = false,
            null_padding = true, strict_mode = false)"""
        return self._lent(source, [*columns, REST])

    def parquet(self, file: Path) -> Table:
        self._file = file
        source = f"read_parquet({_text(file)})"
        described = self._run(f"SELECT * FROM {source} LIMIT 0")
        return self._lent(source, ibis().Schema.from_pyarrow(described.schema))

    def table(self, name: str) -> Table:
        """A table of the database file, or the nearest name that there is."""
        found = self._run(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'warehouse'"
        )
        require_table(name, found["table_name"].to_pylist())
        source = 'warehouse."' + name.replace('"', '""') + '"'
        described = self._run(f"SELECT * FROM {source} LIMIT 0")
        return self._lent(source, ibis().Schema.from_pyarrow(described.schema))

    def keep(self, table: Table) -> Table:
        name = f"kept_{next(self._numbers)}"
        self._run(f"CREATE TEMP TABLE {name} AS {self._sql(table)}")
        return ibis().table(table.schema(), name=name)

    def gather(self, parts: Iterable[tuple[float, Any]], plan: Callable[[Table], Table]) -> Table:
        """One table of Arrow tables, of each what the plan makes of it; there is at least one.

        Each comes with the share of the work that was done for it and those before.
        """
        part, name = f"part_{next(self._numbers)}", f"kept_{next(self._numbers)}"
        sql, schema = "", None
        try:
            for rows in self._together(parts):
                self._connection.register(part, rows)
                if schema is None:
                    planned = plan(ibis().table(ibis().Schema.from_pyarrow(rows.schema), name=part))
                    sql, schema = self._sql(planned), planned.schema()
                    self._run(f"CREATE TEMP TABLE {name} AS {sql}")
                else:
                    self._run(f"INSERT INTO {name} {sql}")
                self._connection.unregister(part)
        finally:
            self._share = None
        return ibis().table(schema, name=name)

    def _together(self, parts: Iterable[tuple[float, Any]]) -> Iterator[Any]:
        """Several tables as one, for one insertion of many rows takes less than many of few."""
        arrow = optional("pyarrow", "logs")
        waiting: list[Any] = []
        for share, rows in parts:
            self._share = share
            waiting.append(rows)
            if sum(table.num_rows for table in waiting) >= N_TOGETHER:
                yield arrow.concat_tables(waiting)
                waiting = []
        if waiting:
            yield arrow.concat_tables(waiting)

    def fetch(self, table: Table) -> Any:
        return self._run(self._sql(table))

    def fraction(self) -> float | None:
        if self._share is not None:
            return self._share
        percent = self._connection.query_progress()
        return percent / 100 if percent >= 0 else None

    def close(self) -> None:
        self._connection.close()

    def _lent(self, source: str, schema: Any) -> Table:
        name = f"lent_{next(self._numbers)}"
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
            raise self._said(error) from None

    def _said(self, error: Exception) -> ArgumentError:
        """The one line that tells a user what DuckDB says in many."""
        said, file = str(error), self._file
        if file is not None and "unicode" in said.lower():
            return not_text(file)
        if file is not None and "Maximum line size" in said:
            return too_long(file)
        if file is not None and isinstance(error, self._duckdb.IOException) and "GZIP" in said:
            return truncated(file)
        if isinstance(error, self._duckdb.OutOfMemoryException):
            return ArgumentError(f"memory must be larger for this log, got {self._memory!r}")
        return ArgumentError(f"DuckDB cannot read the log: {said.splitlines()[0]}")


def _text(value: object) -> str:
    """A constant of SQL."""
    return "'" + str(value).replace("'", "''") + "'"
