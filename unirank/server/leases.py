"""Numbers for views: blocks leased from the store, so that no two processes use the same.

A number is the id of a view and the address of its random numbers. A block is leased ahead of time,
so that giving a view never waits for the store. Numbers that a process leaves unused are lost.
"""

from threading import Lock

from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Store

BLOCK = 100_000


class Leases:
    """The numbers of one process."""

    def __init__(self, store: Store, block: int = BLOCK) -> None:
        self._store, self._block = store, block
        self._next = self._end = 0
        self._ahead: list[int] = []  # first numbers of blocks to come
        self._lock = Lock()
        self.refill()

    def take(self) -> int:
        """Return a number that nobody else has; never wait for the store."""
        with self._lock:
            if self._next == self._end:
                if not self._ahead:
                    raise StoreUnavailable("no numbers are left: the database does not answer")
                self._next = self._ahead.pop()
                self._end = self._next + self._block
            self._next += 1
            return self._next - 1

    def refill(self) -> None:
        """Lease a block if there is none in reserve."""
        if not self._ahead:
            first = self._store.lease(self._block)
            with self._lock:
                self._ahead.append(first)
