"""Atomic writing: a reader sees the old file or the new one, never half of one.

A process that is killed leaves its temporary file behind. It holds a lock on the file while it
lives; so a file that is not locked any more is removed by the next process that writes beside it.
"""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EFBIG, EINVAL, EISDIR
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from tempfile import TemporaryFile, gettempdir, mkdtemp
from uuid import uuid4

from unirank import arguments
from unirank.errors import ArgumentError, UnirankError

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows: nothing is locked, and nothing cleaned up
    flock = None  # type: ignore[assignment]

YOUNG = 60  # seconds: a file this new may not be locked yet

_cleaned: set[Path] = set()  # once for each folder and process


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write next to `path`, flush to disk, then rename over it."""
    with written_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(content)


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a file; raise OSError if it is no regular file or has more than `most`.

    So an endless file is not read for ever, and a pipe without a writer not waited for.
    """
    try:
        found = os.stat(arguments.path("path", path))
    except ValueError as error:
        if isinstance(error, UnirankError):
            raise
        raise OSError(EINVAL, str(error)) from None
    if S_ISDIR(found.st_mode):
        raise IsADirectoryError(EISDIR, "Is a directory")
    if not S_ISREG(found.st_mode):
        raise OSError(EINVAL, "Not a regular file")
    if found.st_size > most:
        raise OSError(EFBIG, f"It has more than {most:,} bytes")
    with open(path, "rb") as file:
        return file.read(found.st_size)


@contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a path next to `path` to write to; at the end it is flushed to disk and renamed.

    A link is followed, and a file that is replaced keeps its permissions. If anything goes wrong
    before that, what was written there is removed.
    """
    if not arguments.path("path", path).name:
        raise ArgumentError(f"path must name a file, got {os.fspath(path)!r}")
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            kind = "Is a directory" if target.is_dir() else "Not a regular file"
            raise ArgumentError(f"cannot write {os.fspath(path)!r}: {kind}")
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        remove_leftovers(target.parent, ".unirank-*.tmp")
        temporary = target.with_name(f".unirank-{uuid4().hex}.tmp")
        with locked(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)):
            try:
                yield temporary
                with open(temporary, "r+b") as file:
                    os.fsync(file.fileno())
                if mode is not None:
                    os.chmod(temporary, mode)
                os.replace(temporary, target)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
    except UnirankError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArgumentError(f"cannot write {os.fspath(path)!r}: {reason}") from None


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Make a folder for temporary files, and remove it at the end."""
    remove_leftovers(Path(gettempdir()), f"{prefix}*")
    folder = Path(mkdtemp(prefix=prefix))
    try:
        with locked(os.open(folder, os.O_RDONLY)):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_leftovers(folder: Path, pattern: str) -> None:
    """Remove what killed processes of this user have left in the folder."""
    if flock is None or folder in _cleaned:
        return
    _cleaned.add(folder)
    for path in folder.glob(pattern):
        with suppress(OSError):  # another process may be faster
            found = path.stat()
            if found.st_uid != os.getuid() or found.st_mtime > time.time() - YOUNG:
                continue
            with locked(os.open(path, os.O_RDONLY)):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Hold a lock on an open file, which ends with the process; raise OSError if another does."""
    try:
        if flock is not None:
            flock(descriptor, LOCK_EX | LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def writable_folder(name: str, path: str | os.PathLike[str]) -> Path:
    """Make the folder if needed; raise ArgumentError if files cannot be written in it."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise ArgumentError(
            f"{name} must be a folder that can be written, got {str(folder)!r}: {error.strerror}"
        ) from None
