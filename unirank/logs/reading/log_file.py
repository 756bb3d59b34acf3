"""Checks of a log file before it is read, and its first lines."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.extras import optional

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
PARQUET = b"PAR1"
BLOCK = 1 << 20


def log_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of an existing, non-empty file."""
    file = arguments.path("path", path)
    try:
        there = file.exists()
    except (OSError, ValueError) as error:  # a name too long, or with a null character
        reason = getattr(error, "strerror", None) or error
        raise ArgumentError(f"path must be a log file, got {str(file)!r:.60}: {reason}") from None
    if not there:
        raise ArgumentError(f"path must be a log file, {str(file)!r} does not exist")
    if not file.is_file():
        raise ArgumentError(f"path must be a log file, {str(file)!r} is not a file")
    if file.stat().st_size == 0:
        raise ArgumentError(f"the log {str(file)!r} is empty")
    if file.suffix == ".zst":
        _require_complete(file)
    return file


def is_parquet(file: Path) -> bool:
    with open(file, "rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def first_lines(file: Path, n_lines: int) -> list[str]:
    """Return the first lines, decompressed, without a byte order mark; raise if none is text."""
    with readable(file), opened_source(file) as stream:
        start = stream.read(BLOCK)
    text = start.decode("utf-8", "replace").removeprefix("\ufeff")
    if not text.strip():
        raise ArgumentError(f"the log {str(file)!r} is empty")
    lines = list(islice(text.splitlines(), n_lines))
    if all("\ufffd" in line or "\x00" in line for line in lines):
        raise ArgumentError(f"the log {str(file)!r} is not text in UTF-8")
    return lines


def estimated_rows(file: Path, sample: list[str]) -> int:
    """Estimate the number of lines from the file size and the mean length of the first lines."""
    size = file.stat().st_size * (4 if file.suffix in COMPRESSIONS else 1)
    return round(size * len(sample) / sum(len(line.encode()) + 1 for line in sample))


def truncated(file: Path) -> ArgumentError:
    return ArgumentError(f"the log {str(file)!r} is cut short or not {file.suffix[1:]} data")


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Raise ArgumentError if the file cannot be read or decompressed."""
    try:
        yield
    except (OSError, EOFError) as error:
        if file.suffix not in COMPRESSIONS:
            reason = getattr(error, "strerror", None) or error
            raise ArgumentError(f"cannot read {str(file)!r}: {reason}") from None
        raise truncated(file) from None


def opened_source(file: Path) -> Any:
    arrow = optional("pyarrow", "logs")
    return arrow.input_stream(str(file), compression=COMPRESSIONS.get(file.suffix))


def has_null(file: Path) -> bool:
    """Whether there is a null character anywhere in the file."""
    with readable(file), opened_source(file) as stream:
        while block := stream.read(BLOCK):
            if b"\0" in block:
                return True
    return False


def _require_complete(file: Path) -> None:
    """Decompress the whole file: DuckDB does not notice when a zst file is cut short."""
    with readable(file), opened_source(file) as stream:
        while stream.read(BLOCK):
            pass
