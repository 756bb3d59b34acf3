"""Whether the store answers and can be written: one question at a time, however many ask."""

import asyncio

from unirank.server.in_time import in_time
from unirank.server.store.store import Store


class StoreCheck:
    """Those who ask while a question is under way wait for its answer.

    A database that hangs keeps the thread that asks it: with a question for each who asks, it would
    soon have all threads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Future[None] | None = None

    async def __call__(self) -> None:
        """Raise StoreUnavailable unless the database answers and can be written."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(asyncio.to_thread(self._store.check))
        await in_time(asyncio.shield(self._asking))
