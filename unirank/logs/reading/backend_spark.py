"""Spark: the active session, or one started on this machine."""

import os
import shutil
from itertools import count
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.logs.reading.bad_kinds import TOO_MANY
from unirank.logs.reading.expressions import FAULT, Table, ibis
from unirank.logs.reading.log_file import opened_source, truncated


class SparkBackend:
    """A new session, with its own views, of the active or a newly started Spark."""

    is_warehouse = False

    def __init__(self, folder: Path, memory: str, n_threads: int) -> None:
        spark = optional("pyspark.sql", "spark").SparkSession
        self._folder, self._file = folder, Path()
        self._numbers = count()
        self._kept: list[Any] = []
        running: Any = spark.getActiveSession()
        self._started: Any = None
        if running is None:
            running = self._started = started(spark, folder, memory, n_threads)
        self._session = running.newSession()
        # In ANSI mode a missing field of one line would stop the query with an error.
        self._session.conf.set("spark.sql.ansi.enabled", "false")

    def lines(self, file: Path) -> Table:
        self._file = file
        text = self._session.read.text(self._readable(file)).where("value <> ''")
        return self._view(text.withColumnRenamed("value", "line"))

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        """Missing fields are null; the column FAULT says what is wrong with a line."""
        self._file = file
        types = optional("pyspark.sql.types", "spark")
        schema = types.StructType(
            [types.StructField(name, types.StringType()) for name in [*columns, FAULT]]
        )
        options = {"header": True, "sep": delimiter, "quote": '"', "escape": '"'}
        read = self._session.read.csv(self._readable(file), schema, **options)
        # A line has at most one field more than columns; Spark ignores those after it.
        too_many = f"if({FAULT} is null, null, '{TOO_MANY}')"
        return self._view(
            read.selectExpr(*(f"`{name}`" for name in columns), f"{too_many} AS {FAULT}")
        )

    def rejected(self) -> list[tuple[str, str]]:
        return []

    def parquet(self, file: Path) -> Table:
        self._file = file
        return self._view(self._session.read.parquet(str(file)))

    def table(self, name: str) -> Table:
        raise NotImplementedError

    def keep(self, table: Table) -> Table:
        frame = self._session.sql(self._sql(table)).cache()
        self._kept.append(frame)
        return self._view(frame, table.schema())

    def fetch(self, table: Table) -> Any:
        try:
            return self._session.sql(self._sql(table)).toArrow()
        except optional("pyspark.errors", "spark").PySparkException as error:
            raise self._argument_error(error) from None

    def fraction(self) -> float | None:
        return None

    def close(self) -> None:
        for frame in self._kept:
            frame.unpersist()
        if self._started is not None:
            self._started.stop()

    def _view(self, frame: Any, schema: Any = None) -> Table:
        name = f"unirank_{next(self._numbers)}"
        frame.createOrReplaceTempView(name)
        arrow = optional("pyspark.sql.pandas.types", "spark").to_arrow_schema
        schema = ibis().Schema.from_pyarrow(arrow(frame.schema)) if schema is None else schema
        return ibis().table(schema, name=name)

    def _sql(self, table: Table) -> str:
        return str(ibis().to_sql(table, dialect="pyspark"))

    def _readable(self, file: Path) -> str:
        """Return the file, or an uncompressed copy: reading zst needs extra Java libraries."""
        if file.suffix != ".zst":
            return str(file)
        plain = self._folder / file.stem
        with opened_source(file) as packed, open(plain, "wb") as copy:
            shutil.copyfileobj(packed, copy, 1 << 20)
        return str(plain)

    def _argument_error(self, error: Exception) -> ArgumentError:
        """Turn Spark's error into a message of one line."""
        message = str(error)
        if (
            "EOFException" in message
            or "not a gzip file" in message
            or "ZlibDecompressor" in message
        ):
            return truncated(self._file)
        return ArgumentError(f"Spark cannot read the log: {message.splitlines()[0]}")


def started(spark: Any, folder: Path, memory: str, n_threads: int) -> Any:
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java") and not (home and Path(home, "bin", "java").exists()):
        raise ArgumentError("backend 'spark' needs Java, which is not on this machine")
    builder = spark.builder.appName("unirank").master(f"local[{n_threads}]")
    options = {
        "spark.driver.memory": memory[:-1].lower(),
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": 2 * n_threads,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
