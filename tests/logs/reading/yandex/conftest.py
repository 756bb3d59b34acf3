"""Both readings of a Yandex log."""

from typing import Any

import pytest

from unirank.logs.reading import opening
from unirank.logs.reading.yandex.seen import ScatteredError


@pytest.fixture(params=["in passing", "by joins"])
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As any log is read, and as if its sessions did not stand together."""
    if request.param == "by joins":
        by_joins(monkeypatch)


def by_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    def scattered(*_: Any, **__: Any) -> None:
        raise ScatteredError

    monkeypatch.setattr(opening, "GroupedLog", scattered)
