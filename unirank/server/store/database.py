"""What the store needs of a database: transactions, and named statements in them."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from unirank.errors import UnirankError

Rows = list[tuple[Any, ...]]


class StoreUnavailable(UnirankError):  # noqa: N818 - a state of the store, which passes
    """The database does not answer, or cannot write now: try again later."""


class Session(Protocol):
    """Runs named statements."""

    def run(self, statement: str, /, **values: Any) -> Rows: ...

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> Rows:
        """Run it for each row of values; return what all of them returned."""


class Database(Protocol):
    """SQLite or PostgreSQL."""

    dialect: str

    def transaction(self) -> AbstractContextManager[Session]:
        """All or nothing; on disk when the block is left."""

    def reading(self) -> AbstractContextManager[Session]: ...

    def erase(self) -> None:
        """Leave no trace in the files of what was deleted, as far as that is ours to do."""

    def migrate(self) -> None: ...

    def close(self) -> None: ...
