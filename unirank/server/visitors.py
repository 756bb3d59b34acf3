"""Sessions with very many clicks, which may be robots, and the forgetting of all others."""

from time import time

from unirank.server.api import Visitor
from unirank.server.limits import Limits
from unirank.server.store.store import Store

DAY = 86400.0
FORGET_EVERY = 3600.0  # seconds
KEPT = 2 * DAY  # a session has another hash every day: older ones come no more


class Visitors:
    """What the store counts by session; a session with more clicks than its limit is flagged."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._forgotten_at = 0.0

    def flagged(self, page: int) -> list[Visitor]:
        """Return the flagged sessions of a page, those with the most clicks first."""
        rows = self._store.busiest_visitors(page, self._limits.clicks_per_session)
        return [Visitor(session.hex(), *counts) for session, *counts in rows]

    def forget(self) -> None:
        """Forget sessions of earlier days that are not flagged; does so once an hour."""
        now = time()
        if now > self._forgotten_at + FORGET_EVERY:
            self._forgotten_at = now
            self._store.forget_visitors(now - KEPT, self._limits.clicks_per_session)
