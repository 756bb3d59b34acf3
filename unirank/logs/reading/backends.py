"""Backends run queries: DuckDB in this process, Spark, or a warehouse by its URL.

A backend gives a file to Ibis as a table and runs the SQL that Ibis writes. Its intermediate tables
are in one temporary folder, which is removed when the backend is closed, also after an error.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.files import temporary_folder
from unirank.logs.reading.backend_duckdb import DuckDBBackend
from unirank.logs.reading.backend_spark import SparkBackend
from unirank.logs.reading.backend_warehouse import WarehouseBackend
from unirank.logs.reading.expressions import Table


class Backend(Protocol):
    """Opens files as tables and runs queries on them."""

    is_warehouse: bool  # whether a log is a table of a database instead of a file

    def lines(self, file: Path) -> Table:
        """A text file as a table with the one column `line`; empty lines are left out."""

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """A CSV file with a header, all columns as text, and the column FAULT.

        A line is a row: fields that go on in the next line are a fault.
        """

    def rejected(self) -> list[tuple[str, str]]:
        """Kind and text of each line that was left out of `lines` or `csv`, after a first pass."""

    def parquet(self, file: Path) -> Table: ...

    def table(self, name: str) -> Table:
        """A table of the warehouse; an error where there is no warehouse."""

    def keep(self, table: Table) -> Table:
        """Compute a table once; later queries read the result."""

    def fetch(self, table: Table) -> Any:
        """Return the rows as an Arrow table."""

    def fraction(self) -> float | None:
        """Return the share of the running query that is done, None if unknown."""

    def close(self) -> None: ...


BACKENDS = {"duckdb": DuckDBBackend, "spark": SparkBackend}
DUCKDB_URL = "duckdb://"  # a DuckDB database file; opened without Ibis


@contextmanager
def opened_backend(name: str, memory: str, n_threads: int | None) -> Iterator[Backend]:
    """Open a backend and its temporary folder; close and remove them at the end.

    More threads than cores would only take memory: there are at most as many.
    """
    cores = os.cpu_count() or 1
    n_threads = cores if n_threads is None else arguments.integer("n_threads", n_threads, 1)
    n_threads = min(n_threads, cores)
    with (
        temporary_folder("unirank-log-") as folder,
        closing(_backend(name, folder, memory, n_threads)) as backend,
    ):
        yield backend


def _backend(name: str, folder: Path, memory: str, n_threads: int) -> Backend:
    if name.startswith(DUCKDB_URL):
        return DuckDBBackend(folder, memory, n_threads, name.removeprefix(DUCKDB_URL))
    if "://" in name:
        return WarehouseBackend(name)
    return BACKENDS[arguments.choice("backend", name, list(BACKENDS))](folder, memory, n_threads)


def memory_size(memory: str) -> str:
    """Return a size such as "2GB", in the form that DuckDB and Spark both accept."""
    number, unit = memory.strip()[:-2], memory.strip()[-2:].upper()
    if unit not in ("MB", "GB") or not number.strip().isdigit() or int(number) < 1:
        raise ArgumentError(f'memory must be a size such as "2GB" or "500MB", got {memory!r}')
    return f"{int(number)}{unit}"
