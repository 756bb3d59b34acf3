"""Read the statistics of a click log, on one machine or on a cluster.

    found = read_statistics("clicks.tsv.gz", format="yandex-relpred", models=["pbm"], n_queries=10)

The log is never held in memory as a whole: the first pass counts the queries, the next ones count
the pages of the selected queries.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.estimators import registry
from unirank.logs.reading.backends import memory_size, opened_backend
from unirank.logs.reading.bad_lines import BadLines
from unirank.logs.reading.count_logs import read_counts
from unirank.logs.reading.formats import log_format
from unirank.logs.reading.log_source import open_log
from unirank.logs.reading.progress import ProgressThread
from unirank.logs.reading.query_selection import Request, selection
from unirank.logs.reading.session_logs import read_sessions
from unirank.logs.statistics import Pages, QueryStatistics


class LogStatistics(NamedTuple):
    """Statistics by query: the most frequent query first, or in the order of `queries`."""

    queries: list[QueryStatistics]
    held_out: list[QueryStatistics]  # of held-out sessions; items are numbered as in `queries`
    held_out_pages: list[Pages]
    bad: BadLines
    n_rows: int
    n_test_pages: int  # pages of the test period, published without clicks; not counted
    n_items: int | None  # number of items to keep after the fit, from the preset
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

    A preset selects queries, items and positions; other arguments replace its values. Pages are
    cut to `n_positions`; by default this is the length of the longest page. `held_out` is the share
    of sessions to count separately. More bad lines than the share `max_bad` raise an error.
    `backend` is "duckdb", "spark" or an Ibis URL; with a URL, `path` is the name of a table.
    `progress` is called regularly with the share of the work done and the estimated number of rows.
    """
    known = log_format(format)
    tables = tables_of(models, holds=known.holds, format=known.name)
    selected = selection(
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
    if known.holds == "sessions" and (selected.min_displays or selected.min_items):
        raise ArgumentError(
            f"min_displays and min_items are for counts, the format {known.name!r} holds sessions"
        )
    arguments.integer("first_position", first_position, 0, 1)
    request = Request(selected, tables, share, limit)
    read = read_counts if known.holds == "counts" else read_sessions
    start = perf_counter()
    with opened_backend(backend, memory_size(memory), n_threads) as opened:
        source = open_log(opened, path, known, columns, first_position)
        with ProgressThread(opened, progress, source.n_estimated) as thread:
            found = read(opened, source, request, thread)
    return LogStatistics(
        [query._replace(first_position=first_position) for query in found.queries],
        [query._replace(first_position=first_position) for query in found.held_out],
        found.held_out_pages,
        found.bad,
        found.bad.n_rows,
        found.n_test_pages,
        selected.n_items,
        perf_counter() - start,
    )


def tables_of(models: Sequence[str], *, holds: str, format: str) -> set[str]:
    """Return the names of the tables that `models` need; raise if a log of counts lacks one."""
    if isinstance(models, str) or not models:
        raise ArgumentError(f"models must be a list of click models, got {models!r}")
    table = {entry.name: entry.facts["table"] for entry in registry}
    possible = [model for model in table if holds == "sessions" or table[model] == "shown"]
    for model in models:
        arguments.choice("click model", model, list(table))
        if model not in possible:
            raise ArgumentError(
                f"{model!r} is estimated from sessions and the format {format!r} holds counts "
                f"only; possible: {', '.join(possible)}"
            )
    return {table[model] for model in models}
