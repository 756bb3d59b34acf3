"""The threads that work beside the requests.

closing     turns windows that are over into outcomes, and folds outcomes into learners
chores      does what must be done every second, and writes snapshots
rebuilding  lets pages learn again from their whole log, which may take minutes
"""

import logging
from collections.abc import Callable, Sequence
from threading import Event, Thread, current_thread
from time import monotonic, time

from unirank.server.loaded_pages import FOLDED_AT_ONCE, LoadedPages
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Store

CLOSED_AT_ONCE = 200  # views in one transaction, for which clicks wait
SAVE_EVERY = 30.0  # seconds
CHORES_EVERY = 1.0
PAUSE = 0.001  # between transactions: without it, this thread takes the lock again before clicks

log = logging.getLogger("unirank.server")


class Closing:
    """The three threads of one process; any number of processes may work on one store."""

    def __init__(
        self,
        store: Store,
        pages: LoadedPages,
        *,
        tick: float = 0.25,
        chores: Sequence[Callable[[], None]] = (),  # every second
        on_trouble: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._pages, self._tick = store, pages, tick
        self._chores, self._on_trouble = chores, on_trouble
        self._in_trouble: set[str] = set()  # names of threads
        self._stop = Event()
        self._saved_at = monotonic()
        self._threads = [
            Thread(target=self._run, args=(work, every), name=name, daemon=True)
            for name, work, every in (
                ("closing", self.close, tick),
                ("chores", self.do_chores, CHORES_EVERY),
                ("rebuilding", pages.rebuild, tick),
            )
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float) -> None:
        self._stop.set()
        self._pages.is_stopping = True
        until = monotonic() + timeout
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(until - monotonic(), 0.0))

    def once(self) -> None:
        """Do the work of all three threads once, in this one."""
        self.do_chores()
        self.close()
        self._pages.rebuild()

    def close(self) -> None:
        """Close what is due and fold it, in turns of bounded size: a backlog holds up no click."""
        began = time()
        while True:
            n_closed, n_folded = self._store.close_due(CLOSED_AT_ONCE), self._pages.follow()
            if n_closed < CLOSED_AT_ONCE and n_folded < FOLDED_AT_ONCE:
                self._pages.closed_until = began
                return
            if self._stop.wait(PAUSE):
                return

    def do_chores(self) -> None:
        for chore in self._chores:
            chore()
        if monotonic() > self._saved_at + SAVE_EVERY:
            self._saved_at = monotonic()
            self._pages.save()

    def _run(self, work: Callable[[], object], every: float) -> None:
        name = current_thread().name
        while not self._stop.wait(every):
            try:
                work()
                if name in self._in_trouble:
                    self._in_trouble.discard(name)
                    if not self._in_trouble:
                        log.warning("the database answers again")
            except StoreUnavailable as error:
                if self._stop.is_set():
                    return
                self._on_trouble()
                if not self._in_trouble:  # an outage is logged once
                    log.warning("%s", error)
                self._in_trouble.add(name)
            except Exception:
                log.exception("%s failed; it goes on", name)
