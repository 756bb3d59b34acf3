"""From an address to a store."""

from unirank.errors import ArgumentError
from unirank.server.store.database import Database
from unirank.server.store.sqlite import SqliteDatabase
from unirank.server.store.store import Store

POSTGRESQL = ("postgresql://", "postgres://")


def open_store(address: str) -> Store:
    """Open a file of SQLite, or a PostgreSQL database, and bring its schema up to date."""
    if not address:
        raise ArgumentError("database must be a file or postgresql://..., got nothing")
    database: Database
    if address.startswith(POSTGRESQL):
        raise ArgumentError("database must be a file: PostgreSQL comes soon")
    database = SqliteDatabase(address.removeprefix("sqlite://"))
    database.migrate()
    return Store(database)
