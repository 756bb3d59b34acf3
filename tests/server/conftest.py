"""A service in the process of the test, and a clock that tests set."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.stores import service_on
from unirank.server.service import Service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "s.sqlite") as service:
        yield service


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A time that tests set: of requests and of the store."""
    now = [1.8e9]
    for module in ("service", "reports", "series", "page_changes", "visitors", "store.store"):
        monkeypatch.setattr(f"unirank.server.{module}.time", lambda: now[0])
    return now
