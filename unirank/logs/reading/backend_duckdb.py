"""DuckDB in this process, with a memory limit; larger tables go to a temporary folder."""

from itertools import count
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading.backend_warehouse import require_table
from unirank.logs.reading.bad_kinds import NOT_TEXT, QUOTE, TOO_FEW, TOO_LONG, TOO_MANY
from unirank.logs.reading.expressions import FAULT, Table, ibis
from unirank.logs.reading.log_file import BLOCK, has_null, opened_source, readable, truncated

# A line is one field: no delimiter, no quotes. Carriage returns end lines too, so that "\r\n"
# leaves an empty line, which is no row.
LINES = """(SELECT line FROM read_csv({file}, columns = {{'line': 'VARCHAR'}}, delim = '',
    quote = '', escape = '', header = false, skip = {skip}, auto_detect = false,
    strict_mode = false, new_line = '\\n', ignore_errors = true, store_rejects = true,
    rejects_limit = 0) WHERE line IS NOT NULL)"""

# What DuckDB could not read as a line, of all scans of the file.
REJECTED = """SELECT error_type::VARCHAR AS kind, line_byte_position AS place, min(csv_line) AS line
    FROM reject_errors GROUP BY ALL ORDER BY place"""
KINDS = {"INVALID ENCODING": NOT_TEXT, "LINE SIZE OVER MAXIMUM": TOO_LONG}

# Fields are split line by line: DuckDB's own reader would take an open quote for a field that
# goes on in the next lines. A quote that is not closed, or closed before the end of its field,
# leaves characters that are in no field.
FIELDS = """(SELECT
    CASE WHEN contains(line, '"')
        THEN regexp_extract_all({delimiter} || line, {field}, 1)
        ELSE string_split(line, {delimiter}) END AS fields,
    list_sum(list_transform(fields, lambda field: length(field) + 1)) <= length(line) AS is_open,
    list_transform(fields, lambda field: CASE WHEN starts_with(field, '"')
        THEN replace(field[2:-2], '""', '"') ELSE field END) AS plain
    FROM {lines})"""


class DuckDBBackend:
    """A database in memory; Ibis writes the SQL, DuckDB runs it."""

    def __init__(self, folder: Path, memory: str, n_threads: int, database: str = "") -> None:
        self.is_warehouse = bool(database)
        self._duckdb = optional("duckdb", "logs")
        self._file: Path | None = None
        self._folder, self._memory = folder, memory
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
        return self._view(LINES.format(file=_text(self._text_of(file)), skip=0), ["line"])

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """Missing fields are null; the column FAULT says what is wrong with a line."""
        self._file = file
        fields = FIELDS.format(
            lines=LINES.format(file=_text(self._text_of(file)), skip=1),
            delimiter=_text(delimiter),
            field=_text(f'[{delimiter}]("(?:[^"]|"")*"|[^"{delimiter}][^{delimiter}]*|)'),
        )
        n_columns = len(columns)
        named = [f"plain[{place}] AS {_name(name)}" for place, name in enumerate(columns, 1)]
        fault = f"""CASE WHEN is_open THEN {_text(QUOTE)}
            WHEN array_to_string(plain[{n_columns + 1}:], '') <> '' THEN {_text(TOO_MANY)}
            WHEN len(plain) < {n_columns} THEN {_text(TOO_FEW)} END"""
        source = f"(SELECT {', '.join(named)}, {fault} AS {FAULT} FROM {fields})"
        return self._view(source, [*columns, FAULT])

    def _text_of(self, file: Path) -> Path:
        """Return the file, or a copy whose null characters are bytes that are no text.

        DuckDB takes a null character for the end of a line: what follows would be lost silently.
        """
        if not has_null(file):
            return file
        copy = self._folder / "without-nulls.txt"
        with readable(file), opened_source(file) as source, open(copy, "wb") as target:
            while block := source.read(BLOCK):
                target.write(block.replace(b"\0", b"\xff"))
        return copy

    def rejected(self) -> list[tuple[str, str]]:
        known = self._run("SELECT 1 FROM duckdb_tables() WHERE table_name = 'reject_errors'")
        if not known.num_rows:  # nothing was read as lines
            return []
        found = self._run(REJECTED).to_pylist()
        return [(KINDS.get(row["kind"], row["kind"].lower()), row["line"]) for row in found]

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
        source = f"warehouse.{_name(name)}"
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
        if file is not None and isinstance(error, self._duckdb.IOException) and "GZIP" in message:
            return truncated(file)
        if isinstance(error, self._duckdb.OutOfMemoryException):
            return ArgumentError(f"memory must be larger for this log, got {self._memory!r}")
        return ArgumentError(f"DuckDB cannot read the log: {message.splitlines()[0]}")


def _name(column: str) -> str:
    """Quote a name for SQL."""
    return '"' + column.replace('"', '""') + '"'


def _text(value: object) -> str:
    """Quote a value as an SQL text constant."""
    return "'" + str(value).replace("'", "''") + "'"
