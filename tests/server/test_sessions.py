from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

import pytest

from tests.server.stores import opened
from unirank.server import sessions
from unirank.server.sessions import Sessions


def test_a_hash_is_the_same_in_all_processes_for_a_day(tmp_path: Path) -> None:
    now = time()
    with opened(tmp_path / "s.sqlite") as store:
        one, two = Sessions(store), Sessions(store)
        assert one.hashed("visitor", now) == two.hashed("visitor", now)
        assert one.hashed("visitor", now) != one.hashed("visitor", now + 86400)
        assert one.hashed("visitor", now) != one.hashed("other", now)
        assert one.hashed(None, now) == b""


def test_old_salts_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=5)

    with opened(tmp_path / "s.sqlite") as store:
        kept = Sessions(store)
        old = kept.hashed("visitor", time())
        monkeypatch.setattr(sessions, "datetime", Later)
        kept.refresh()
        monkeypatch.undo()
        assert Sessions(store).hashed("visitor", time()) != old
