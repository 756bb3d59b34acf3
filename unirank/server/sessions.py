"""Sessions, kept as a hash under a salt that lasts for a day.

The store never sees a session, and once the salt of a day is deleted, nobody can tell which hash
was whose. Within a day, the same session has the same hash: enough to find a robot.

What outlives the day is the arm of a session and its place, one of 1,024 (`serving.py`): all its
views must be counted together. Whoever has the database and guesses a session can say that it may
have been one of the visitors of this place, a thousandth of all, and no more.
"""

from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from unirank.server.store.store import Store

SIZE = 8  # bytes
KEPT_DAYS = 2


class Sessions:
    """The salts of yesterday, today and tomorrow."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._salts: dict[str, bytes] = {}
        self.refresh()

    def refresh(self) -> None:
        """Have the salts of today and tomorrow at hand; delete old ones."""
        today = datetime.now(UTC).date()
        names = [(today + timedelta(days=n)).isoformat() for n in (0, 1)]
        if all(name in self._salts for name in names):
            return
        self._salts = {name: self._store.secret(f"salt {name}") for name in names}
        oldest = (today - timedelta(days=KEPT_DAYS - 1)).isoformat()
        self._store.forget_salts(f"salt {oldest}")

    def hashed(self, session: str | None, now: float) -> bytes:
        """The hash to keep; empty without a session, and on a day without a salt."""
        if session is None:
            return b""
        salt = self._salts.get(datetime.fromtimestamp(now, UTC).date().isoformat())
        if salt is None:
            return b""
        return blake2b(
            session.encode("utf-8", "surrogatepass"), key=salt, digest_size=SIZE
        ).digest()
