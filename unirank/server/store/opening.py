"""From an address to a store."""

from unirank.errors import ArgumentError
from unirank.server.store.database import Database
from unirank.server.store.postgresql import PostgresqlDatabase
from unirank.server.store.sqlite import SqliteDatabase
from unirank.server.store.store import Store


def open_store(address: str) -> Store:
    """Open a file of SQLite, or a PostgreSQL database, and bring its schema up to date."""
    if not address:
        raise ArgumentError("database must be a file or postgresql://..., got nothing")
    is_postgresql = address.startswith(("postgresql://", "postgres://"))
    database: Database = (PostgresqlDatabase if is_postgresql else SqliteDatabase)(address)
    database.migrate()
    return Store(database)
