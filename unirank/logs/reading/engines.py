"""What runs the plan: DuckDB in this process, Spark on this machine, or a warehouse by its URL.

An engine lends a file to Ibis as a table and runs what Ibis makes of it. What it keeps on the way
lies in one temporary folder, which is removed when the engine is closed, whatever happened.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.reading.engine_duckdb import DuckDBEngine
from unirank.logs.reading.engine_spark import SparkEngine
from unirank.logs.reading.engine_warehouse import WarehouseEngine
from unirank.logs.reading.relations import Engine

BACKENDS = {"duckdb": DuckDBEngine, "spark": SparkEngine}
DUCKDB_URL = "duckdb://"  # a database file of DuckDB, which needs no help from Ibis to connect


@contextmanager
def opened_engine(backend: str, memory: str, n_threads: int | None) -> Iterator[Engine]:
    """An engine with its temporary folder, both gone at the end."""
    n_threads = arguments.integer("n_threads", n_threads or os.cpu_count() or 1, 1)
    folder = Path(mkdtemp(prefix="unirank-log-"))
    try:
        with closing(_engine(backend, folder, memory, n_threads)) as engine:
            yield engine
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _engine(backend: str, folder: Path, memory: str, n_threads: int) -> Engine:
    if backend.startswith(DUCKDB_URL):
        return DuckDBEngine(folder, memory, n_threads, backend.removeprefix(DUCKDB_URL))
    if "://" in backend:
        return WarehouseEngine(backend)
    return BACKENDS[arguments.choice("backend", backend, list(BACKENDS))](folder, memory, n_threads)


def memory_size(memory: str) -> str:
    """A size as DuckDB and Spark both read it, such as "2GB"."""
    number, unit = memory.strip()[:-2], memory.strip()[-2:].upper()
    if unit not in ("MB", "GB") or not number.strip().isdigit() or int(number) < 1:
        raise ArgumentError(f'memory must be a size such as "2GB" or "500MB", got {memory!r}')
    return f"{int(number)}{unit}"
