"""SQLite through apsw: a write-ahead log, and a commit that is on disk when it returns.

The log goes into the file after every 4,000 pages of it, 16 MB, in the commit that is then under
way: one in a thousand of one click each. With SQLite's 1,000 pages it would be one in 300.

The interpreter's own SQLite can be older than 3.51.3, which fixed a bug of the write-ahead log that
can corrupt the file; apsw brings a current one.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from threading import Lock
from typing import Any

import apsw

from unirank.errors import ArgumentError
from unirank.server.store.database import Rows, Session, StoreUnavailable
from unirank.server.store.statements import migrations, statements

PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA secure_delete = ON;
"""
BUSY_MS = 5000
ERASING_MS = 200  # that clicks wait at most, if another process reads meanwhile
TROUBLE = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.FullError,
    apsw.IOError,
    apsw.LockedError,
    apsw.NoMemError,
    apsw.ReadOnlyError,
)


class SqliteDatabase:
    """One file. Writing transactions wait for each other; reading never waits for them."""

    dialect = "sqlite"

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        try:
            self._writer, self._reader = self._connected(), self._connected()
        except apsw.NotADBError:
            raise ArgumentError(
                f"database must be a file of SQLite, or a new name, got {self.path!r}"
            ) from None
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            raise ArgumentError(
                f"database must be a file that can be written, got {self.path!r}: look at the "
                "permissions of the file and of its folder"
            ) from None
        self._write_lock, self._read_lock = Lock(), Lock()

    def _connected(self) -> apsw.Connection:
        with translated(apart_from=(apsw.CantOpenError, apsw.ReadOnlyError)):
            connection = apsw.Connection(self.path)
            connection.set_busy_timeout(BUSY_MS)
            connection.execute(PRAGMAS).fetchall()  # apsw stops at the first row until it is read
        return connection

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        with self._write_lock, translated():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteSession(self._writer)
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with self._read_lock, translated():
            yield SqliteSession(self._reader)

    def erase(self) -> None:
        """Empty the log of writes, which may hold what was deleted.

        If another process reads meanwhile, the log stays, and is written over later.
        """
        with self._write_lock, self._read_lock, translated():
            self._writer.set_busy_timeout(ERASING_MS)
            try:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._writer.set_busy_timeout(BUSY_MS)

    def migrate(self) -> None:
        """Bring the schema up to date; several processes may try at once."""
        with self.transaction():
            run = self._writer.execute
            run("CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)")
            done = {number for (number,) in run("SELECT number FROM migration")}
            for number, text in migrations(self.dialect):
                if number not in done:
                    run(text)
                    run("INSERT INTO migration VALUES (?)", (number,))

    def close(self) -> None:
        self._writer.close()
        self._reader.close()


class SqliteSession:
    """Named statements on one connection; lists go in as JSON."""

    statements = statements("sqlite")

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, /, **values: Any) -> Rows:
        return list(self._connection.execute(self.statements[statement], _bound(values)))

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> Rows:
        return list(self._connection.executemany(self.statements[statement], rows))


def _bound(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: json.dumps(v) if isinstance(v, list) else v for k, v in values.items()}


@contextmanager
def translated(apart_from: tuple[type[apsw.Error], ...] = ()) -> Iterator[None]:
    """Trouble with the file is an error that a caller can answer with "try again"."""
    try:
        yield
    except apart_from:
        raise
    except TROUBLE as error:
        raise StoreUnavailable(f"the database does not answer: {error}") from error
