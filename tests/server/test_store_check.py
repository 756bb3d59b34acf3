"""Whether the store can be written."""

import asyncio
from threading import Event

import pytest

from unirank.server.service import Service
from unirank.server.store.database import StoreUnavailable


def test_all_who_ask_whether_the_database_answers_wait_for_one_look(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = [], Event()

    def hangs() -> None:
        asked.append(1)
        may_answer.wait(10)

    async def ask() -> None:
        for _ in range(2):  # the second time, after the first were told that it takes too long
            looks = (service.check_store() for _ in range(20))
            done = await asyncio.gather(*looks, return_exceptions=True)
            assert all(isinstance(each, StoreUnavailable) for each in done)
        may_answer.set()
        assert service.check_store._asking is not None
        await service.check_store._asking
        await service.check_store()

    monkeypatch.setattr(service.store, "check", hangs)
    monkeypatch.setattr("unirank.server.in_time.STORE_TIMEOUT", 0.05)
    asyncio.run(ask())
    assert len(asked) == 2
