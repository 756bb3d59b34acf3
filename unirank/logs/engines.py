"""What runs the plan: DuckDB in this process, Spark on this machine, or a warehouse by its URL.

An engine lends a file to Ibis as a table and runs what Ibis makes of it. What it keeps on the way
lies in one temporary folder, which is removed when the engine is closed, whatever happened.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Protocol

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.engine_duckdb import DuckDBEngine
from unirank.logs.engine_spark import SparkEngine
from unirank.logs.engine_warehouse import WarehouseEngine
from unirank.logs.relations import Table

BACKENDS = {"duckdb": DuckDBEngine, "spark": SparkEngine}


class Engine(Protocol):
    """Files in, Arrow tables out; `keep` computes a table once that is read several times."""

    def lines(self, file: Path) -> Table:
        """A text file as a table with the one column `line`."""

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """A CSV file with a header, all columns as text."""

    def parquet(self, file: Path) -> Table: ...

    def keep(self, table: Table) -> Table: ...

    def fetch(self, table: Table) -> Any: ...

    def fraction(self) -> float | None:
        """How much of the present work is done, None where that is not known."""

    def close(self) -> None: ...


@contextmanager
def opened_engine(backend: str, memory: str, n_threads: int | None) -> Iterator[Engine]:
    """An engine with its temporary folder, both gone at the end."""
    n_threads = arguments.integer("n_threads", n_threads or os.cpu_count() or 1, 1)
    if "://" in backend:
        warehouse = WarehouseEngine(backend)
        try:
            yield warehouse
        finally:
            warehouse.close()
        return
    kind = BACKENDS[arguments.choice("backend", backend, list(BACKENDS))]
    folder = Path(mkdtemp(prefix="unirank-log-"))
    try:
        engine = kind(folder, memory, n_threads)
        try:
            yield engine
        finally:
            engine.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def memory_size(memory: str) -> str:
    """A size as DuckDB and Spark both read it, such as "2GB"."""
    number, unit = memory.strip()[:-2], memory.strip()[-2:].upper()
    if unit not in ("MB", "GB") or not number.strip().isdigit() or int(number) < 1:
        raise ArgumentError(f'memory must be a size such as "2GB" or "500MB", got {memory!r}')
    return f"{int(number)}{unit}"
