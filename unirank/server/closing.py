"""The thread that turns windows into outcomes, folds them, and writes snapshots."""

import logging
from threading import Event, Thread
from time import monotonic

from unirank.server.leases import Leases
from unirank.server.pages import FOLDED_AT_ONCE, Pages
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Store

CLOSED_AT_ONCE = 1000  # rankings of one transaction
SAVE_EVERY = 30.0  # seconds

log = logging.getLogger("unirank.server")


class Closing:
    """Closes, follows and saves, again and again; any number of processes may do it."""

    def __init__(self, store: Store, pages: Pages, leases: Leases, tick: float = 0.25) -> None:
        self._store, self._pages, self._leases, self._tick = store, pages, leases, tick
        self._stop = Event()
        self._saved_at = monotonic()
        self._thread = Thread(target=self._run, name="closing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float) -> None:
        self._stop.set()
        self._thread.join(timeout)

    def once(self) -> None:
        """Close what is due and fold it."""
        self._leases.refill()
        while self._store.close_due(CLOSED_AT_ONCE) == CLOSED_AT_ONCE and not self._stop.is_set():
            pass
        while self._pages.follow() == FOLDED_AT_ONCE and not self._stop.is_set():
            pass
        if monotonic() > self._saved_at + SAVE_EVERY:
            self._saved_at = monotonic()
            self._pages.save()

    def _run(self) -> None:
        while not self._stop.wait(self._tick):
            try:
                self.once()
            except StoreUnavailable as error:
                log.warning("%s", error)
            except Exception:
                log.exception("closing failed; it goes on")
