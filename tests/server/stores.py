"""Stores and services inside the process of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any

import msgspec

from unirank.server.api import ClickReport, PageSettings, RankRequest
from unirank.server.service import Service
from unirank.server.store.opening import open_store
from unirank.server.store.store import Click, Store
from unirank.server.view import View

SETTINGS = PageSettings(["a", "b", "c", "d"], 2, policy="unirank", window_s=600.0)
STARTED = msgspec.structs.replace(SETTINGS, start=["d", "c", "b", "a"])


@contextmanager
def opened(path: Path | str) -> Iterator[Store]:
    store = open_store(str(path))
    try:
        yield store
    finally:
        store.close()


@contextmanager
def service_on(path: Path | str, **settings: Any) -> Iterator[Service]:
    """A service whose closing thread does not run: tests call `closing.once()`."""
    service = Service(open_store(str(path)), **settings)
    try:
        yield service
    finally:
        service.stop()


def view(id_: int = 1, page: int = 1, **fields: Any) -> View:
    values: dict[str, Any] = {
        "items": ["a", "b"],
        "memory": b"",
        "arm": "learner",
        "propensity": 0.5,
        "shown_at": 1000.0,
        "expires_at": 1600.0,
        "session": b"",
        "place": 7,
    }
    return View(id=id_, page=page, **{**values, **fields})


def windows_over(service: Service) -> None:
    """Let the windows of all lists that were shown be over."""
    while service.store.close_due(100, time() + 3600.0):
        pass
    service.pages.catch_up()


async def visited(service: Service, n: int) -> None:
    """n visitors of the page p, each with a click."""
    for _ in range(n):
        shown = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
    windows_over(service)


__all__ = ["SETTINGS", "STARTED", "Click", "RankRequest", "opened", "service_on", "view"]
