"""A folder that one process at a time may work in."""

import os
from pathlib import Path

from unirank.errors import ArgumentError
from unirank.files import writable_folder

try:
    import fcntl
except ImportError:  # not a POSIX system: there is nothing to ask
    fcntl = None  # type: ignore[assignment]


class FolderLock:
    """Held from construction until `release`, or until the process ends, however it ends."""

    def __init__(self, name: str, folder: Path) -> None:
        writable_folder(name, folder)
        self._process = os.getpid()
        self._file = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(self._file)
                raise ArgumentError(
                    f"{name} must be used by one process at a time, got {str(folder)!r}, which is "
                    "in use: close it there first, or give each process a folder of its own"
                ) from None

    def check(self) -> None:
        """Raise ArgumentError in a process that was forked from the one that holds the lock."""
        if os.getpid() != self._process:
            raise ArgumentError(
                "pages must be opened after a fork, in each process, with a folder of its own"
            )

    def release(self) -> None:
        os.close(self._file)
