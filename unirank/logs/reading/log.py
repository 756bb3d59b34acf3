"""From a click log to what estimators read: one call, on one machine or a cluster.

    found = read_statistics("clicks.tsv.gz", format="yandex-relpred", models=["pbm"], n_queries=10)

The log is read where it lies and never held in memory: one pass tells which queries there are,
the next ones count the pages of those that are wanted.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.reading.bad_lines import BadLines
from unirank.logs.reading.choosing import Wanted, choice
from unirank.logs.reading.counts_reading import read_counts
from unirank.logs.reading.engines import memory_size, opened_engine
from unirank.logs.reading.formats import log_format
from unirank.logs.reading.needs import tables_of
from unirank.logs.reading.opening import opened
from unirank.logs.reading.sessions_reading import read_sessions
from unirank.logs.reading.watching import Watch
from unirank.logs.statistics import Pages, QueryStatistics


class LogStatistics(NamedTuple):
    """What was read, by query: the most frequent first, or as they were asked for."""

    queries: list[QueryStatistics]
    held_out: list[QueryStatistics]  # the sessions held out, items numbered as in `queries`
    held_out_pages: list[Pages]
    bad: BadLines
    n_rows: int
    n_test_pages: int  # pages whose clicks the log keeps back: left out
    n_items: int | None  # of the preset: how many to keep once fitted
    seconds: float


def read_statistics(
    path: str | os.PathLike[str],
    *,
    format: str,
    models: Sequence[str],
    preset: str | None = None,
    n_queries: int | None = None,
    queries: Sequence[str] | None = None,
    n_positions: int | None = None,
    min_displays: int | None = None,
    min_items: int | None = None,
    one_display_per_line: bool | None = None,
    columns: Mapping[str, str] | None = None,
    first_position: int = 1,
    held_out: float = 0.0,
    max_bad: float = 0.001,
    backend: str = "duckdb",
    memory: str = "2GB",
    n_threads: int | None = None,
    progress: Callable[[float | None, int | None], None] | None = None,
) -> LogStatistics:
    """Count the clicks of a log for the given click models.

    A preset chooses queries, items and positions; what is given besides replaces its values.
    Without `n_positions` pages are as long as the longest one; with it they are cut.
    `held_out` is a share of sessions that is counted apart. More than the share `max_bad` of bad
    lines is an error. `backend` is "duckdb", "spark" or an Ibis URL, where `path` names a table.
    `progress` is called every now and then with the share that is done and an estimate of rows.
    """
    known = log_format(format)
    tables = tables_of(models, holds=known.holds, format=known.name)
    chosen = choice(
        preset,
        n_queries=n_queries,
        queries=queries,
        n_positions=n_positions,
        min_displays=min_displays,
        min_items=min_items,
        one_display_per_line=one_display_per_line,
    )
    share = arguments.probability("held_out", held_out)
    limit = arguments.probability("max_bad", max_bad)
    if share == 1:
        raise ArgumentError("held_out must be below 1, got 1.0: nothing would be left to fit")
    if share and known.holds == "counts":
        raise ArgumentError(f"held_out needs sessions, the format {known.name!r} holds counts only")
    if known.holds == "sessions" and (chosen.min_displays or chosen.min_items):
        raise ArgumentError(
            f"min_displays and min_items are for counts, the format {known.name!r} holds sessions"
        )
    arguments.integer("first_position", first_position, 0)
    wanted = Wanted(chosen, tables, share, limit)
    read = read_counts if known.holds == "counts" else read_sessions
    start = perf_counter()
    with opened_engine(backend, memory_size(memory), n_threads) as engine:
        source = opened(engine, path, known, columns, first_position)
        with Watch(engine, progress, source.n_estimated) as watch:
            found = read(engine, source, wanted, watch)
    return LogStatistics(
        found.queries,
        found.held_out,
        found.held_out_pages,
        found.bad,
        found.bad.n_rows,
        found.n_test_pages,
        chosen.n_items,
        perf_counter() - start,
    )
