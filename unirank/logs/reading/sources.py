"""A log file before it is read: there, complete, text, and what its first lines look like."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from unirank.errors import ArgumentError
from unirank.extras import optional

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
PARQUET = b"PAR1"
BLOCK = 1 << 20


def log_file(path: str | os.PathLike[str]) -> Path:
    """The path of a file that is there and not empty."""
    file = Path(path)
    if not file.exists():
        raise ArgumentError(f"path must be a log file, {str(file)!r} is not there")
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
    """The first lines, decompressed, without the mark of UTF-8; an error if they are not text."""
    with _readable(file), opened_source(file) as stream:
        start = stream.read(BLOCK)
    try:
        text = start.decode("utf-8") if len(start) < BLOCK else start.decode("utf-8", "ignore")
    except UnicodeDecodeError:
        raise not_text(file) from None
    text = text.removeprefix("\ufeff")
    if "\x00" in text or not text.strip():
        raise not_text(file) if text.strip() else ArgumentError(f"the log {str(file)!r} is empty")
    return list(islice(text.splitlines(), n_lines))


def estimated_rows(file: Path, sample: list[str]) -> int:
    """Lines of a text file, from its size and the mean length of its first lines."""
    size = file.stat().st_size * (4 if file.suffix in COMPRESSIONS else 1)
    return round(size * len(sample) / sum(len(line.encode()) + 1 for line in sample))


def not_text(file: Path) -> ArgumentError:
    return ArgumentError(f"the log {str(file)!r} is not text in UTF-8")


def too_long(file: Path) -> ArgumentError:
    return ArgumentError(f"the log {str(file)!r} has a line of more than 2 MB")


def truncated(file: Path) -> ArgumentError:
    return ArgumentError(f"the log {str(file)!r} is cut short or not {file.suffix[1:]} data")


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError) as error:
        if file.suffix not in COMPRESSIONS:
            reason = getattr(error, "strerror", None) or error
            raise ArgumentError(f"cannot read {str(file)!r}: {reason}") from None
        raise truncated(file) from None


class Blocks:
    """The bytes of a log, decompressed, so many at once; `share` tells how much of it was read.

    A block without the end of a line is an error.
    """

    def __init__(self, file: Path, size: int) -> None:
        self._file, self._size = file, size
        self.share = 0.0

    def __iter__(self) -> Iterator[bytes]:
        arrow = optional("pyarrow", "logs")
        kind = COMPRESSIONS.get(self._file.suffix)
        n_bytes = self._file.stat().st_size
        with _readable(self._file), arrow.OSFile(str(self._file)) as raw:
            stream = arrow.CompressedInputStream(raw, kind) if kind else raw
            while block := stream.read(self._size):
                if len(block) == self._size and b"\n" not in block:
                    raise too_long(self._file)
                self.share = raw.tell() / n_bytes
                yield block


def opened_source(file: Path) -> Any:
    arrow = optional("pyarrow", "logs")
    return arrow.input_stream(str(file), compression=COMPRESSIONS.get(file.suffix))


def _require_complete(file: Path) -> None:
    """Read to the end: DuckDB takes the end of a cut zst file for the end of the log."""
    with _readable(file), opened_source(file) as stream:
        while stream.read(BLOCK):
            pass
