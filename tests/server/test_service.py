"""The service inside the process of the test: one call each."""

import asyncio
import logging
from pathlib import Path

import msgspec
import pytest

from tests.server.stores import SETTINGS, service_on
from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickReport,
    PageSettings,
    RankRequest,
)
from unirank.server.service import Service
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.opening import open_store
from unirank.server.tokens import unsealed
from unirank.server.view import ItemId


@pytest.mark.parametrize(
    ("n_positions", "available", "name"), [(2, 700, "available"), (700, None, "n_positions")]
)
def test_a_view_whose_clicks_could_not_be_reported_is_not_given(
    service: Service, n_positions: int, available: int | None, name: str
) -> None:
    items: list[ItemId] = [f"{n:0100}" for n in range(700)]

    async def ask() -> None:
        await service.put_page("p", PageSettings(items, n_positions, policy="random"))
        asked = RankRequest(None if available is None else items[:available])
        words = rf"^{name} must let a view fit into a token of 64000 letters, got \d+: take fewer"
        with pytest.raises(ArgumentError, match=words):
            await service.rank("p", asked)
        assert service.writer.n_behind == 0

    asyncio.run(ask())


def test_durable_views_are_on_disk_when_they_are_given(tmp_path: Path) -> None:
    async def ask(durable: Service) -> None:
        await durable.put_page("p", msgspec.structs.replace(SETTINGS, window_s=1e-6))
        for n in range(1, 6):
            await durable.rank("p", RankRequest())
            assert durable.store.close_due(10) == 1, n

    with service_on(tmp_path / "d.sqlite", durable_views=True) as service_:
        asyncio.run(ask(service_))


def test_views_that_could_not_be_written_at_the_end_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    service = Service(open_store(str(tmp_path / "s.sqlite")))
    asyncio.run(service.put_page("p", SETTINGS))
    monkeypatch.setattr(service.store, "commit", fails)
    asyncio.run(service.rank("p", RankRequest()))
    with caplog.at_level(logging.ERROR, "unirank.server"):
        service.stop()
    assert caplog.messages == [
        "1 views are not written, as the database does not answer in time: those without a click "
        "are lost"
    ]


def test_no_session_is_in_the_store(service: Service, tmp_path: Path) -> None:
    async def ask() -> str:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(session="visitor-4711"))
        await service.clicks([ClickReport(shown.token, shown.items)])
        return shown.token

    token = asyncio.run(ask())
    assert len(unsealed(token, service._token_key).session) == 8
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"visitor-4711" not in written


def test_a_page_that_cannot_be_read_does_not_hide_the_others(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        bad = service.store.create_page("bad", SETTINGS)
        assert bad is not None
        service.store.change_page(bad, {"settings": {"items": 7}}, SETTINGS)
        found = await service.summaries("", 10)
        assert ([page.page for page in found.pages], found.unreadable) == (["p"], ["bad"])

    asyncio.run(ask())
