"""A warehouse: any database that Ibis connects to by URL; the log is one of its tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from unirank.errors import ArgumentError, UnknownNameError
from unirank.logs.reading.expressions import Table, ibis


class WarehouseBackend:
    """Runs queries in the database through Ibis."""

    is_warehouse = True

    def __init__(self, url: str) -> None:
        try:
            self._database = ibis().connect(url)
        except Exception as error:  # every database has its own error type
            raise ArgumentError(f"cannot connect to {url!r}: {_first_line(error)}") from None

    def table(self, name: str) -> Table:
        """Return a table of the warehouse; an unknown name raises, with the nearest name."""
        require_table(name, self._database.list_tables())
        return self._database.table(name)

    def lines(self, file: Path) -> Table:
        raise NotImplementedError

    def csv(self, file: Path, columns: list[str], delimiter: str) -> Table:
        raise NotImplementedError

    def rejected(self) -> list[tuple[str, str]]:
        return []

    def parquet(self, file: Path) -> Table:
        raise NotImplementedError

    def keep(self, table: Table) -> Table:
        """Create a temporary table; it is dropped with the connection."""
        return self._database.create_table(f"unirank_{uuid4().hex}", table, temp=True)

    def fetch(self, table: Table) -> Any:
        return table.to_pyarrow()

    def fraction(self) -> float | None:
        return None

    def close(self) -> None:
        self._database.disconnect()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def require_table(name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise UnknownNameError("table of the warehouse", name, names)
