"""Stores and services inside the process of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unirank.server.api import PageSettings, RankRequest
from unirank.server.service import Service
from unirank.server.store.opening import open_store
from unirank.server.store.store import Click, Store
from unirank.server.view import View

SETTINGS = PageSettings(["a", "b", "c", "d"], 2, policy="unirank", window_s=600.0)


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


__all__ = ["SETTINGS", "Click", "RankRequest", "opened", "service_on", "view"]
