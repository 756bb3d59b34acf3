"""Atomic writing: a reader sees the old file or the new one, never half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import uuid4

from unirank.errors import ArgumentError, UnirankError


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write next to `path`, flush to disk, then rename over it."""
    with written_atomically(path) as temporary, open(temporary, "xb") as file:
        file.write(content)


@contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a path next to `path` to write to; at the end it is flushed to disk and renamed.

    If anything goes wrong before that, what was written there is removed.
    """
    target = Path(path)
    if not target.name:
        raise ArgumentError(f"path must name a file, got {str(path)!r}")
    temporary = target.with_name(f".{uuid4().hex}.tmp")
    try:
        try:
            yield temporary
            with open(temporary, "r+b") as file:
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError, ValueError):
                os.unlink(temporary)
            raise
    except UnirankError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArgumentError(f"cannot write {str(target)!r}: {reason}") from None


def writable_folder(name: str, path: str | os.PathLike[str]) -> Path:
    """Make the folder if needed; raise ArgumentError if files cannot be written in it."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".try."):
            return folder
    except OSError as error:
        raise ArgumentError(
            f"{name} must be a folder that can be written, got {str(folder)!r}: {error.strerror}"
        ) from None
