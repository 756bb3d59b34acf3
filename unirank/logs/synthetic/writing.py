"""Write a synthetic log block by block, as lines or as Parquet; it is there whole or not at all."""

import gzip
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import written_atomically
from unirank.logs.synthetic.columns import (
    COUNTS,
    counts_table,
    session_lines,
    session_tables,
    table_lines,
)
from unirank.logs.synthetic.drawing import Sessions, SyntheticLog
from unirank.logs.synthetic.flaws import broken_lines, with_flaws
from unirank.logs.synthetic.line_formats import LINE_FORMATS

FORMATS = (*LINE_FORMATS, "counts")
TABLES = ("sessions", "counts")  # formats that are CSV or Parquet
MOST_BAD = 0.5
GZIP_LEVEL = 1  # on such lines, the highest level takes many times as long for little
UNSAFE = re.compile(r'[\t\n\r,"]|^$')  # what an id cannot hold in a line


class Written(NamedTuple):
    """What was written, and where."""

    path: str
    format: str
    sessions: int
    clicks: int
    rows: int  # lines but the header and the malformed ones
    malformed: int
    bytes: int


def write_log(
    log: SyntheticLog,
    path: str | os.PathLike[str],
    *,
    format: str,
    n_sessions: int,
    bad: float = 0.0,
    watch: Callable[[int], None] | None = None,
) -> Written:
    """Write sessions 1 to `n_sessions` in one of FORMATS; .gz and .zst are compressed.

    `bad` is the share of malformed lines, which stand between the others. `watch` is told the
    number of sessions written so far.
    """
    target = Path(path)
    check_output(target, format, bad)
    if target.suffix != ".parquet":
        check_ids(log)
    clicks = [0]
    blocks = watched(log.blocks(n_sessions), clicks, watch)
    with written_atomically(target) as temporary:
        if target.suffix == ".parquet":
            rows, malformed = write_parquet(temporary, tables(log, format, blocks)), 0
        else:
            with opened(temporary, target.suffix) as file:
                rows, malformed = write_lines(file, log, format, blocks, bad)
    size = target.stat().st_size
    return Written(os.fspath(path), format, n_sessions, clicks[0], rows, malformed, size)


def watched(
    blocks: Iterable[Sessions], clicks: list[int], watch: Callable[[int], None] | None
) -> Iterator[Sessions]:
    """The same blocks; counts their clicks, and tells when each has been used."""
    sessions = 0
    for block in blocks:
        yield block
        clicks[0] += int(block.clicks.sum())
        sessions += block.page.size
        if watch is not None:
            watch(sessions)


def tables(log: SyntheticLog, format: str, blocks: Iterable[Sessions]) -> Iterator[Any]:
    if format == "counts":
        yield counts_table(log, blocks)
    else:
        yield from session_tables(log, blocks)


def write_parquet(path: Path, parts: Iterable[Any]) -> int:
    """Write tables as row groups of one file; return the number of rows."""
    parquet = optional("pyarrow.parquet", "logs")
    rows = 0
    writer = None
    try:
        for table in parts:
            writer = writer or parquet.ParquetWriter(path, table.schema)
            writer.write_table(table)
            rows += table.num_rows
    finally:
        if writer is not None:
            writer.close()
    return rows


def write_lines(
    file: Any, log: SyntheticLog, format: str, blocks: Iterable[Sessions], bad: float
) -> tuple[int, int]:
    """Write lines, with malformed ones between; return how many of each."""
    arrow = optional("pyarrow", "logs")
    if format == "counts":
        header, separator, n_fields = ",".join(COUNTS), ",", len(COUNTS)
        parts: Iterable[Any] = (table_lines(table) for table in tables(log, format, blocks))
    else:
        chosen = LINE_FORMATS[format]
        header, separator, n_fields = chosen.header, chosen.separator, chosen.n_fields
        parts = session_lines(log, chosen, blocks)
    broken = arrow.array(broken_lines(separator, n_fields), arrow.binary())
    if header:
        file.write(f"{header}\n".encode())
    rows = malformed = 0
    for lines in parts:
        n = len(lines)
        if bad:
            order = with_flaws(log.seed, rows + 1, n, bad)
            lines = arrow.concat_arrays([lines, broken]).take(arrow.array(order))
        file.write(lines.buffers()[2])  # its values stand one behind the other: the text itself
        rows += n
        malformed += len(lines) - n
    return rows, malformed


@contextmanager
def opened(path: Path, suffix: str) -> Iterator[Any]:
    """A file to write bytes to, compressed as the suffix of its later name says."""
    with open(path, "xb") as file:
        if suffix == ".gz":
            with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
                yield packed
        elif suffix == ".zst":
            with optional("pyarrow", "logs").CompressedOutputStream(file, "zstd") as packed:
                yield packed
        else:
            yield file


def check_output(target: Path, format: str, bad: float) -> None:
    """Refuse a format, or a name or share of malformed lines that it cannot have."""
    arguments.choice("format", format, FORMATS)
    share = arguments.non_negative("bad", bad)
    if share > MOST_BAD:
        raise ArgumentError(f"bad must be in [0, {MOST_BAD}], got {bad!r}")
    name = target.name.removesuffix(".gz").removesuffix(".zst")
    if format in TABLES and not name.endswith(".csv") and target.suffix != ".parquet":
        raise ArgumentError(
            f"out must end in .csv, .csv.gz, .csv.zst or .parquet for {format}, got {str(target)!r}"
        )
    if target.suffix == ".parquet":
        if format not in TABLES:
            raise ArgumentError(
                f"out must not end in .parquet for {format}, a format of lines, got {str(target)!r}"
            )
        if share:
            raise ArgumentError(f"bad must be 0 for Parquet, which has no lines, got {bad!r}")


def check_ids(log: SyntheticLog) -> None:
    """Refuse ids that would make two fields, or two lines, of one."""
    for kind, ids in (("query", log.pages.queries), ("item", log.pages.items)):
        for each in ids:
            if UNSAFE.search(each):
                raise ArgumentError(
                    f"{kind} ids must hold no tab, comma, quote or end of line to be written as "
                    f"text, got {each!r}; write sessions as .parquet"
                )
