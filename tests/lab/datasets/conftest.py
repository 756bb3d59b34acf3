"""An empty cache for every test, and a folder of small fake files as the mirror."""

from pathlib import Path

import pytest

from tests.lab.datasets.fakes import Publish, publisher


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr("pooch.os_cache", lambda _: folder)
    return folder


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Call with a name to publish its fake in the folder that UNIRANK_DATA names."""
    monkeypatch.setenv("UNIRANK_DATA", str(tmp_path / "mirror"))
    return publisher(tmp_path / "mirror", monkeypatch)


@pytest.fixture
def cached(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Call with a name to put its fake into the cache; there is no mirror."""
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    return publisher(cache, monkeypatch)
