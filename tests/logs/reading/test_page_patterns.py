"""Held-out sessions; test_log.py compares the counted tables with plain Python."""

from hashlib import md5

import pytest

from tests.logs.reading.running import fetched, small
from unirank.logs.reading.page_patterns import is_held_out

SESSIONS = [str(n) for n in range(200)]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_sessions_are_held_out_by_their_md5(share: float) -> None:
    table = small({"session": SESSIONS})
    rows = fetched(table.select("session", held=is_held_out(table.session, share)))
    assert len(rows) == len(SESSIONS)
    for row in rows:
        number = int(md5(row["session"].encode()).hexdigest()[:8], 16) / 2**32
        assert row["held"] == (number < share)
