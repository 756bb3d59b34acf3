"""A store that hangs holds up neither a request nor the event loop."""

import asyncio
from threading import Event, get_ident

import pytest

from unirank.server.in_time import in_thread
from unirank.server.store.database import StoreUnavailable


def test_the_store_is_asked_in_another_thread() -> None:
    assert asyncio.run(in_thread(get_ident)) != get_ident()


def test_an_answer_that_does_not_come_in_time_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_answer = Event()

    async def ask() -> None:
        with pytest.raises(StoreUnavailable, match="does not answer in time"):
            await in_thread(may_answer.wait, 10)
        may_answer.set()

    monkeypatch.setattr("unirank.server.in_time.STORE_TIMEOUT", 0.05)
    asyncio.run(ask())


def test_an_error_of_the_store_is_the_answer() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_thread(lambda: 1 / 0))
