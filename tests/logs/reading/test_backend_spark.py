"""Spark counts what DuckDB counts. One Spark for the module; skipped where there is no Java."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.logs.reading.test_log_file import cut
from tests.logs.reading.writing import (
    assert_same,
    counts_of,
    expected,
    kdd_lines,
    random_sessions,
    relpred_lines,
    search_lines,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading import backend_spark
from unirank.logs.reading.backend_spark import SparkBackend
from unirank.logs.reading.bad_kinds import TOO_MANY
from unirank.logs.reading.expressions import FAULT
from unirank.logs.reading.log import LogStatistics, read_statistics

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    # Spark's Python side leaves its sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]
SESSIONS = random_sessions(80, seed=8, n_positions=3)
MODELS = ["pbm", "cm", "ubm", "dbn"]


@pytest.fixture(scope="module", autouse=True)
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark with one thread and one partition, for tables as small as these."""
    sql = pytest.importorskip("pyspark.sql")
    builder = sql.SparkSession.builder.master("local[1]").appName("tests")
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than these rows
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.log.level": "ERROR",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def read(path: Path, format: str, **options: Any) -> LogStatistics:
    return read_statistics(
        path, format=format, **{"models": MODELS, "backend": "spark", "max_bad": 0, **options}
    )


def test_yandex_relpred_with_held_out_sessions(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.gz", relpred_lines(SESSIONS))
    options: dict[str, Any] = {"held_out": 0.3, "n_queries": 2, "models": ["pbm", "dbn"]}
    found = read(path, "yandex-relpred", **options)
    same = read(path, "yandex-relpred", backend="duckdb", **options)
    for name in ("queries", "held_out", "held_out_pages"):
        assert_same(getattr(found, name), getattr(same, name))
    assert sum(each.n_sessions for each in found.held_out) > 0


def test_yandex_search(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.zst", search_lines(SESSIONS))
    found = read(path, "yandex-search", models=["pbm"])
    whole = expected(SESSIONS, n_positions=3)
    pbm = [e._replace(first_click=None, last_click=None, chains=None) for e in whole]
    assert_same(found.queries, pbm)


def test_tables(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.parquet", session_rows(SESSIONS))
    assert_same(read(path, "sessions").queries, expected(SESSIONS, n_positions=3))


def test_kdd(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "training.txt", kdd_lines(SESSIONS))
    found = read(path, "kdd", models=["pbm"])
    assert_same(found.queries, counts_of(expected(SESSIONS, n_positions=3)))


def test_bad_lines(tmp_path: Path) -> None:
    lines = [*relpred_lines(SESSIONS[:9]), "1\t2", "", "1\tx\tC\t7", "5\t1\tC\tnowhere"]
    path = write_lines(tmp_path / "log", lines)
    options = {"models": ["pbm"], "max_bad": 1.0}
    found, same = (
        read(path, "yandex-relpred", **options),
        read(path, "yandex-relpred", backend="duckdb", **options),
    )
    assert found.bad == same.bad
    assert_same(found.queries, same.queries)


def test_fields_that_miss_or_are_too_many(tmp_path: Path) -> None:
    backend = SparkBackend(tmp_path, "1GB", 1)
    path = write_lines(tmp_path / "log.csv", ["a,b", '"x,y",2', "3", "4,5,6"])
    found = backend.fetch(backend.csv(path, ["a", "b"], ",")).to_pylist()
    backend.close()
    assert found == [
        {"a": "x,y", "b": "2", FAULT: None},
        {"a": "3", "b": None, FAULT: None},
        {"a": "4", "b": "5", FAULT: TOO_MANY},
    ]


def test_a_truncated_file(tmp_path: Path) -> None:
    lines = [f"{n}\t0\tQ\t{n * n % 97}\t0\ta" for n in range(20_000)]
    path = cut(write_lines(tmp_path / "log.gz", lines))
    with pytest.raises(ArgumentError, match=r"is cut short or not gz data$"):
        read(path, "yandex-relpred", models=["pbm"])


def test_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ArgumentError, match=r"^backend 'spark' needs Java, which is not"):
        backend_spark.started(None, tmp_path, "1GB", 1)
