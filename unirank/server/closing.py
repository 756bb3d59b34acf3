"""The background thread: it turns windows into outcomes, folds the log, and writes snapshots.

Every second it does the chores that the service gives it: numbers for lists, keys and salts.
"""

import logging
from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic

from unirank.server.pages import FOLDED_AT_ONCE, Pages
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Store

CLOSED_AT_ONCE = 200  # rankings of one transaction: clicks wait for it
SAVE_EVERY = 30.0  # seconds
CHORES_EVERY = 1.0
PAUSE = 0.001  # between transactions: a lock is not fair, and clicks wait for it

log = logging.getLogger("unirank.server")


class Closing:
    """Closes, follows, saves and does chores, again and again, in any number of processes."""

    def __init__(
        self,
        store: Store,
        pages: Pages,
        *,
        tick: float = 0.25,
        chores: Sequence[Callable[[], None]] = (),  # every second
        on_trouble: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._pages, self._tick = store, pages, tick
        self._chores, self._on_trouble = chores, on_trouble
        self._chores_at = 0.0
        self._in_trouble = False
        self._stop = Event()
        self._saved_at = monotonic()
        self._thread = Thread(target=self._run, name="closing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def once(self) -> None:
        """Close what is due and fold it, a part of each in turn: a backlog holds up nothing."""
        while True:
            self._do_what_is_due()
            n_closed, n_folded = self._store.close_due(CLOSED_AT_ONCE), self._pages.follow()
            if n_closed < CLOSED_AT_ONCE and n_folded < FOLDED_AT_ONCE:
                return
            if self._stop.wait(PAUSE):
                return

    def _do_what_is_due(self) -> None:
        if monotonic() > self._chores_at + CHORES_EVERY:
            self._chores_at = monotonic()
            for chore in self._chores:
                chore()
        if monotonic() > self._saved_at + SAVE_EVERY:
            self._saved_at = monotonic()
            self._pages.save()

    def _run(self) -> None:
        while not self._stop.wait(self._tick):
            try:
                self.once()
                if self._in_trouble:
                    log.warning("the database answers again")
                self._in_trouble = False
            except StoreUnavailable as error:
                self._on_trouble()
                if not self._in_trouble:  # said once
                    log.warning("%s", error)
                self._in_trouble = True
            except Exception:
                log.exception("closing failed; it goes on")
