"""Writing files so that a reader sees the old one or the new one, never half of one."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from unirank.errors import ArgumentError


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write next to `path`, flush to disk, then rename over it."""
    target = Path(path)
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, 0o666 & ~_umask())
                os.replace(file.name, target)
            except BaseException:
                with suppress(OSError):
                    os.unlink(file.name)
                raise
    except OSError as error:
        raise ArgumentError(f"cannot write {str(target)!r}: {error.strerror}") from None


def writable_folder(name: str, path: str | os.PathLike[str]) -> Path:
    """Make the folder if needed and prove, before any work, that files can be written in it."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".try."):
            return folder
    except OSError as error:
        raise ArgumentError(
            f"{name} must be a folder that can be written, got {str(folder)!r}: {error.strerror}"
        ) from None


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
