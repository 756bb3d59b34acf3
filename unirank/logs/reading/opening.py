"""From a path to checked rows: the file, its format, the engine's view of it."""

import csv
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from unirank.errors import ArgumentError
from unirank.logs.reading import count_logs
from unirank.logs.reading.engine_duckdb import DuckDBEngine
from unirank.logs.reading.formats import Format, hint
from unirank.logs.reading.relations import Engine, Table
from unirank.logs.reading.sources import estimated_rows, first_lines, is_parquet, log_file
from unirank.logs.reading.tables import COUNTS, SESSIONS, SessionTable, named
from unirank.logs.reading.yandex.grouped import GroupedLog
from unirank.logs.reading.yandex.layout import LAYOUTS
from unirank.logs.reading.yandex.scattered import ScatteredLog
from unirank.logs.reading.yandex.seen import ScatteredError

DELIMITERS = ",\t;|"
SAMPLE = 200  # lines


class Source(NamedTuple):
    """A log that was found: its rows as a table, and what is known without reading it."""

    table: Table
    format: Format
    first_position: int
    hint: str  # for errors: which other format it looks like
    n_estimated: int | None
    file: Path | None = None  # of lines


def opened(
    engine: Engine,
    path: str | os.PathLike[str],
    format: Format,
    columns: Mapping[str, str] | None,
    first_position: int,
) -> Source:
    """The log as the engine sees it; text formats as lines, tables under our column names."""
    if format.text and columns:
        raise ArgumentError(f"columns are for tables; the format {format.name!r} has its own")
    wanted = SESSIONS if format.holds == "sessions" else COUNTS
    if engine.is_warehouse:
        if format.text:
            raise ArgumentError(f"the format {format.name!r} is read from a file, not a warehouse")
        return Source(
            named(engine.table(str(path)), wanted, columns), format, first_position, "", None
        )
    file = log_file(path)
    if is_parquet(file):
        if format.text:
            raise ArgumentError(
                f"{str(file)!r} is a Parquet table and {format.name!r} is text; "
                "formats of tables: counts, sessions"
            )
        return Source(
            named(engine.parquet(file), wanted, columns), format, first_position, "", None
        )
    sample = first_lines(file, SAMPLE)
    other = hint(sample, format.name)
    n_estimated = estimated_rows(file, sample)
    if format.text:
        return Source(engine.lines(file), format, first_position, other, n_estimated, file)
    try:
        table = named(_csv(engine, file, sample[0]), wanted, columns)
    except ArgumentError as error:
        raise ArgumentError(f"{error}{other}") from None
    return Source(table, format, first_position, other, n_estimated)


def _csv(engine: Engine, file: Path, header: str) -> Table:
    delimiter = max(DELIMITERS, key=header.count)
    names = next(csv.reader([header], delimiter=delimiter))
    return engine.csv(file, _different(names), delimiter)


def _different(names: Sequence[str]) -> list[str]:
    """Names of columns without the empty and double ones, which get the number of their place."""
    found: list[str] = []
    for place, name in enumerate(names):
        plain = name.strip()
        found.append(plain if plain and plain not in found else f"column_{place}")
    return found


def session_log(
    engine: Engine, source: Source, *, whole: bool, by_session: bool
) -> GroupedLog | ScatteredLog | SessionTable:
    """The log of pages; `whole`: all will be wanted, `by_session`: their sessions matter too."""
    if source.format.name not in LAYOUTS:
        return SessionTable(source.table, source.first_position)
    layout = LAYOUTS[source.format.name]
    if isinstance(engine, DuckDBEngine) and source.file is not None:
        with suppress(ScatteredError):
            return GroupedLog(engine, source.file, layout, whole=whole, by_session=by_session)
    return ScatteredLog(engine, source.table, layout, whole=whole)


def count_rows(source: Source, *, one_display_per_line: bool) -> Table:
    if source.format.name == "kdd":
        return count_logs.kdd_rows(source.table, one_display_per_line=one_display_per_line)
    if one_display_per_line:
        raise ArgumentError("one_display_per_line is for the format 'kdd'")
    return count_logs.count_rows(source.table, source.first_position)
