"""Questions to the store, asked in a thread, with an answer in time or none.

The event loop must not wait for a database, and a request must not wait for ever: a database that
hangs gives a request StoreUnavailable after STORE_TIMEOUT, and the thread is left to itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from unirank.server.store.database import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")
STORE_TIMEOUT = 5.0  # seconds


async def in_thread(ask: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
    """Call a function that asks the store, in a thread; return its answer if it comes in time."""
    return await in_time(asyncio.to_thread(ask, *values, **named))


async def in_time(answer: Awaitable[T]) -> T:
    """Wait for an answer of the store, for STORE_TIMEOUT at most."""
    try:
        return await asyncio.wait_for(answer, STORE_TIMEOUT)
    except TimeoutError:
        raise StoreUnavailable("the database does not answer in time") from None
