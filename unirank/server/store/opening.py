"""From an address to a store."""

from pathlib import Path

from unirank.arguments import shown
from unirank.errors import ArgumentError
from unirank.server.store.database import Database
from unirank.server.store.postgresql import PostgresqlDatabase
from unirank.server.store.sqlite import SqliteDatabase
from unirank.server.store.store import Store


def open_store(address: str) -> Store:
    """Open a file of SQLite, or a PostgreSQL database, and bring its schema up to date."""
    if not address:
        raise ArgumentError("database must be a file or postgresql://..., got nothing")
    database: Database
    if address.startswith(("postgresql://", "postgres://")):
        database = PostgresqlDatabase(address)
    else:
        check_file(address)
        database = SqliteDatabase(address)
    database.migrate()
    return Store(database)


def check_file(path: str) -> None:
    """Raise ArgumentError unless there can be a file here."""
    if path == ":memory:":
        raise ArgumentError(
            "database must be a file or postgresql://..., got :memory:, which does not keep what "
            "was acknowledged: name a file, in a temporary folder to try things"
        )
    scheme, separator, _ = path.partition("://")
    if separator:
        raise ArgumentError(
            f"database must be a file or postgresql://user@host/name, got {shown(scheme)} before "
            "://: take one of these"
        )
    file = Path(path).absolute()
    if file.is_dir():
        raise ArgumentError(
            f"database must be a file, got the folder {path!r}: add a name, such as "
            f"{str(file / 'unirank.sqlite')!r}"
        )
    if not file.parent.is_dir():
        raise ArgumentError(
            f"database must be in a folder that is there, got {path!r}: make the folder "
            f"{str(file.parent)!r} first"
        )
