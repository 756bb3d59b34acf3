"""PostgreSQL through psycopg: any number of processes share it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import psycopg

from unirank.errors import ArgumentError
from unirank.server.store.database import Rows, Session, StoreUnavailable
from unirank.server.store.statements import migrations, statements

MIGRATING = 7210000  # an advisory lock
# A server that vanished is noticed after about 10 seconds; one that only pauses is waited for.
PATIENCE = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
TROUBLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.ReadOnlySqlTransaction,  # a standby, until it or another takes over
)


class PostgresqlDatabase:
    """Connections to one database; each is used by one thread at a time."""

    dialect = "postgresql"

    def __init__(self, address: str) -> None:
        self.address = address
        self._idle: list[psycopg.Connection] = []
        self._lock = Lock()
        try:
            with self._connection():
                pass  # an address that is wrong is told at once
        except psycopg.ProgrammingError as error:
            detail = " ".join(str(error).replace(address, "...").split())  # it may have a password
            raise ArgumentError(
                f"database must be an address such as postgresql://user@host/name: {detail}"
            ) from None

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            if connection is None or connection.closed:
                connection = psycopg.connect(self.address, autocommit=True, **PATIENCE)  # type: ignore[arg-type]
            yield connection
        except TROUBLE as error:
            if connection is not None:
                connection.close()
            self.close()  # idle connections to a server that began again are dead, too
            detail = " ".join(str(error).split())
            raise StoreUnavailable(f"the database does not answer: {detail}") from error
        finally:
            if connection is not None and not connection.closed:
                with self._lock:
                    self._idle.append(connection)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        with self._connection() as connection, connection.transaction():
            yield PostgresqlSession(connection)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with self._connection() as connection:
            yield PostgresqlSession(connection)

    def erase(self) -> None:
        """Nothing: vacuum and the server's own log decide."""

    def migrate(self) -> None:
        """Bring the schema up to date; several processes may try at once.

        Each migration is a transaction: what it locks is not locked for all that come after it.
        """
        while self._migrate_once():
            pass

    def _migrate_once(self) -> bool:
        """Do the first migration that is missing; return whether there was one."""
        with self._connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
            connection.execute("CREATE TABLE IF NOT EXISTS migration (number bigint PRIMARY KEY)")
            done = {number for (number,) in connection.execute("SELECT number FROM migration")}
            for number, text in migrations(self.dialect):
                if number not in done:
                    connection.execute(text.encode())
                    connection.execute("INSERT INTO migration VALUES (%s)", (number,))
                    return True
        return False

    def close(self) -> None:
        with self._lock, suppress(*TROUBLE):
            while self._idle:
                self._idle.pop().close()


class PostgresqlSession:
    """Named statements on one connection."""

    statements = statements("postgresql")

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, /, **values: Any) -> Rows:
        cursor = self._connection.execute(self.statements[statement].encode(), values)
        return cursor.fetchall() if cursor.description else []

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> Rows:
        text, found = self.statements[statement], []
        with self._connection.cursor() as cursor:
            cursor.executemany(text.encode(), list(rows), returning="RETURNING" in text)
            while cursor.description:
                found += cursor.fetchall()
                if not cursor.nextset():
                    break
        return found
