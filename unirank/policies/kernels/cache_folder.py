"""Where compiled code is kept: a folder that nobody else may write.

Compiled code is loaded with pickle, which runs whatever a file tells it to. So a folder is used
only if it, and every folder above it, belongs to this user or to root and others may not write it.
The choices, in this order, are numba's:

    NUMBA_CACHE_DIR             if it is set
    __pycache__                 beside the source file
    the user's cache folder     ~/.cache/numba, or the one that XDG_CACHE_HOME names

A path that is not absolute would be in the working folder, whoever owns that: it is never used.
Without a folder there is no cache, and every process compiles anew.
"""

import os
import stat
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching, config

FORGOTTEN = 600  # seconds after which a temporary file of numba belongs to no living process


def is_private(path: Path) -> bool:
    """Whether only this user and root can change the file or folder."""
    return _is_closed(path, sticky=False) and all(
        _is_closed(parent, sticky=True) for parent in path.parents
    )


def _is_closed(path: Path, *, sticky: bool) -> bool:
    if not hasattr(os, "getuid"):  # Windows: folders of a user are closed by default
        return True
    found = path.stat()
    group_is_open = found.st_mode & stat.S_IWGRP and found.st_gid != found.st_uid  # not its own
    is_open = bool(group_is_open or found.st_mode & stat.S_IWOTH)
    if is_open and sticky and found.st_mode & stat.S_ISVTX:  # /tmp: one's own entries are safe
        is_open = False
    return not is_open and found.st_uid in (os.getuid(), 0)


@cache
def usable(folder: str) -> bool:
    """Make the folder if needed; return whether compiled code may be kept in it."""
    path = Path(folder)
    if not path.is_absolute():
        return False
    try:
        for part in (*reversed(path.parents), path):
            with suppress(FileExistsError):
                part.mkdir(mode=0o755)
        private = is_private(path.resolve())
    except OSError:
        return False
    if private:
        _forget(path)
    return private


def _forget(folder: Path) -> None:
    """Remove the temporary files of processes that were killed while they wrote."""
    for path in folder.glob("*.tmp.*"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - FORGOTTEN:
                path.unlink()


def _private(locator: Any) -> Any:
    """A locator of numba that offers its folder only if others cannot write it."""

    class Private(locator):  # type: ignore[misc]
        def ensure_cache_path(self) -> None:
            if not usable(self.get_cache_path()):
                raise OSError(f"{self.get_cache_path()} may be written by others")
            super().ensure_cache_path()

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            found = super().from_function(py_func, py_file)
            if found is None and locator is caching.UserProvidedCacheLocator:
                _warn_if_open(config.CACHE_DIR)  # type: ignore[attr-defined]
            return found

    return Private


@cache
def _warn_if_open(folder: str) -> None:
    if folder and not usable(folder):
        warnings.warn(
            f"NUMBA_CACHE_DIR must be an absolute folder that only you can write, got {folder!r}: "
            "compiled code is not kept there",
            stacklevel=2,
        )


class PrivateCacheImpl(caching.CompileResultCacheImpl):
    """Chooses the first folder that is private."""

    _locator_classes = [  # noqa: RUF012  as numba declares it
        _private(locator)
        for locator in (
            caching.UserProvidedCacheLocator,
            caching.InTreeCacheLocator,
            caching.UserWideCacheLocator,
            caching.IPythonCacheLocator,
        )
    ]


class PrivateFiles(caching.IndexDataCacheFile):
    """Reads a file only if others cannot have written it."""

    def _load_index(self) -> Any:
        path = Path(self._index_path)
        if path.exists() and not is_private(path.resolve()):
            return {}
        return super()._load_index()  # type: ignore[no-untyped-call]

    def _load_data(self, name: str) -> Any:
        path = Path(self._data_path(name))  # type: ignore[no-untyped-call]
        if not is_private(path.resolve()):
            raise PermissionError(f"{path} may have been written by others")  # numba: a miss
        return super()._load_data(name)  # type: ignore[no-untyped-call]

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[Any]:
        with super()._open_for_write(filepath) as file:
            if hasattr(os, "fchmod"):  # whatever the umask
                os.fchmod(file.fileno(), os.fstat(file.fileno()).st_mode & 0o755)
            yield file
