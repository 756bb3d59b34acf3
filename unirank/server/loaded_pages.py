"""Pages in memory: loaded on first use, folded forward as the log grows, put aside when unused.

The learner of a page belongs to the thread that folds, under `_fold_lock`. Requests rank with
`page.serving`, a copy that the folding thread replaces. So a request to rank waits for no other
thread, and not for the database.

A rebuild replays the whole log of a page, which may take minutes. It replays into another learner,
without the lock; the old learner serves and follows the log until the new one takes its place.
"""

import hmac
import logging
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from math import inf
from threading import Lock
from time import monotonic
from typing import NamedTuple

import msgspec

from unirank.errors import UnirankError
from unirank.server.api import PageSettings
from unirank.server.learner import Learner, Tallies, compile_policy, order_of_now
from unirank.server.serving import Serving
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Entry, PageRow, Store

log = logging.getLogger("unirank.server")
SAVED_AT_ONCE = 1_000_000  # bytes of snapshots in one transaction, for which clicks wait
ZLIB = b"\x78"  # the first byte of a compressed snapshot, and of no other
FOLDED_AT_ONCE = 500  # entries under one hold of the lock, for which a loading page waits


class LoadedPage:
    """A page in memory: its learner, and what requests rank with."""

    def __init__(self, row: PageRow, learner: Learner, saved: int, arm_key: bytes) -> None:
        self.row, self.learner = row, learner
        self.saved = saved  # cursor of its last snapshot; 0 if there is none
        self.is_old = False  # whether a rebuild is in the log that the learner was not made by
        self._arm_key = arm_key
        self.publish()

    @property
    def name(self) -> str:
        return self.row.name

    def publish(self) -> None:
        """Let requests see what was folded."""
        self.serving = Serving(self.learner, self._arm_key)


class Saved(NamedTuple):
    """A snapshot to write."""

    page: LoadedPage
    cursor: int
    state: bytes


class LoadedPages:
    """The pages of one process."""

    def __init__(self, store: Store, secret: bytes, most_in_memory: int = 1000) -> None:
        self._store, self._secret = store, secret
        self.most_in_memory = most_in_memory
        self._table: OrderedDict[str, LoadedPage] = OrderedDict()  # the least recently used first
        self._by_number: dict[int, LoadedPage] = {}
        self._leaving: dict[int, LoadedPage] = {}  # put aside, with a snapshot still to write
        self._compiled: set[str] = set()  # names of policies
        self._lock = Lock()  # of the tables
        self._fold_lock = Lock()
        self.is_stopping = False  # replaying of logs ends early
        self.cursor = store.last_number()  # everything up to here is folded
        self.closed_until = 0.0  # windows over by then are closed, and their outcomes folded

    def __len__(self) -> int:
        return len(self._table)

    def get(self, name: str) -> LoadedPage | None:
        """Return the page if it is in memory."""
        with self._lock:
            page = self._table.get(name)
            if page is not None:
                self._table.move_to_end(name)
            return page

    def compile(self, row: PageRow) -> None:
        """Compile the policy of a page, once for each policy; it may take seconds."""
        settings = msgspec.json.decode(row.settings, type=PageSettings)
        if settings.policy not in self._compiled:
            start = settings.options.get("start", settings.start)  # it may hold items that are gone
            start = start and order_of_now(start, settings.items)
            options = {name: value for name, value in settings.options.items() if name != "start"}
            compile_policy(msgspec.structs.replace(settings, start=start, options=options))
            self._compiled.add(settings.policy)

    def load(self, name: str, row: PageRow | None = None) -> LoadedPage | None:
        """Return the page, read from the store if need be; None if there is none."""
        if (page := self.get(name)) is not None:
            return page
        row = self._store.page(name) if row is None else row
        if row is None:
            return None
        learner = restored(row, self._store.snapshot(row.number))
        saved = learner.cursor
        learner = self._caught_up(learner, row)
        with self._fold_lock:
            if (page := self.get(name)) is not None:
                return page
            rest = list(self._store.page_log_after(row.number, learner.cursor))
            for entry in rest:
                learner.fold(entry)
            if learner.deleted:
                return None
            arm_key = hmac.digest(self._secret, name.encode(), "sha256")
            page = LoadedPage(row, learner, saved, arm_key)
            page.is_old = any(map(is_rebuild, rest))
            self._enter(page)
        return page

    def _caught_up(self, learner: Learner, row: PageRow) -> Learner:
        """Fold the rest of the log into a learner; with a rebuild in it, replay the whole log."""
        for entry in self._store.page_log_after(row.number, learner.cursor):
            self._go_on()
            if is_rebuild(entry):
                return self._replayed(row)
            learner.fold(entry)
        return learner

    def _replayed(self, row: PageRow) -> Learner:
        """Return a learner of the page's whole log, without the views that a rebuild left out."""
        while True:
            last, learner = self._store.last_number(), Learner(row)
            for entry in self._store.page_log_after(row.number, 0):
                self._go_on()
                if is_rebuild(entry) and entry.number > last:
                    break  # it has changed marks of entries that were read before
                learner.fold(entry)
            else:
                return learner

    def _go_on(self) -> None:
        if self.is_stopping:
            raise StoreUnavailable("the service stops")

    def _enter(self, page: LoadedPage) -> None:
        with self._lock:
            self._table[page.name] = self._by_number[page.row.number] = page
            while len(self._table) > self.most_in_memory:
                _, oldest = self._table.popitem(last=False)
                del self._by_number[oldest.row.number]
                self._leaving[oldest.row.number] = oldest

    def _drop(self, page: LoadedPage) -> None:
        with self._lock:
            del self._table[page.name], self._by_number[page.row.number]

    def follow(self) -> int:
        """Fold the next entries of the log into the pages in memory; return how many there were."""
        with self._fold_lock:
            entries = self._store.log_after(self.cursor, FOLDED_AT_ONCE)
            changed: set[LoadedPage] = set()
            try:
                for entry in entries:
                    self._fold(entry, changed)
                    self.cursor = entry.number
            finally:
                for page in changed:
                    page.publish()
        return len(entries)

    def catch_up(self) -> None:
        """Fold all that the log has."""
        while self.follow() == FOLDED_AT_ONCE:
            pass

    def _fold(self, entry: Entry, changed: set[LoadedPage]) -> None:
        """Fold an entry into its page, if the page is in memory and has not folded it."""
        page = self._by_number.get(entry.page)
        if page is None or entry.number <= page.learner.cursor:
            return
        try:
            page.learner.fold(entry)
            page.is_old |= is_rebuild(entry)
            changed.add(page)
            if page.learner.deleted:
                self._drop(page)
        except Exception:  # one page's fault must not stop the others
            log.exception("page %s cannot fold entry %s", page.name, entry.number)
            self._drop(page)
            changed.discard(page)

    def rebuild(self) -> int:
        """Let pages learn again that a rebuild made old; return how many.

        Only one thread may call this.
        """
        with self._lock:
            pages = [page for page in self._table.values() if page.is_old]
        for page in pages:
            try:
                self._rebuild(page)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("page %s cannot learn again", page.name)
                with self._fold_lock:
                    if self._by_number.get(page.row.number) is page:
                        self._drop(page)
        return len(pages)

    def _rebuild(self, page: LoadedPage) -> None:
        learner = self._replayed(page.row)
        while page.is_old:
            with self._fold_lock:
                rest = list(self._store.page_log_after(page.row.number, learner.cursor))
                if not any(is_rebuild(entry) for entry in rest):
                    for entry in rest:
                        learner.fold(entry)
                    page.learner, page.is_old = learner, False
                    page.publish()
                    return
            learner = self._replayed(page.row)

    def tallies(self, page: LoadedPage) -> Tallies:
        """Return the counts of a page as they are between two outcomes."""
        with self._fold_lock:
            return page.learner.tallies(self.closed_until)

    def save(self, until: float = inf) -> int:
        """Write snapshots of the pages that have changed since their last one; return how many.

        None is begun after `until`, a time of `monotonic`: a page without a snapshot is read from
        the log.
        """
        with self._lock:
            pages = [*self._leaving.values(), *self._table.values()]
        n_saved, n_bytes = 0, 0
        some: list[Saved] = []
        for page in pages:
            if monotonic() > until:
                break
            if (found := self._snapshot(page)) is None:
                with self._lock:
                    self._leaving.pop(page.row.number, None)
                continue
            some.append(found)
            n_saved, n_bytes = n_saved + 1, n_bytes + len(found.state)
            if n_bytes >= SAVED_AT_ONCE:
                self._write(some)
                n_bytes, some = 0, []
        self._write(some)
        return n_saved

    def _write(self, snapshots: Sequence[Saved]) -> None:
        self._store.save_snapshots([(each.page.row.number, *each[1:]) for each in snapshots])
        for page, cursor, _ in snapshots:
            page.saved = cursor
            with self._lock:
                self._leaving.pop(page.row.number, None)

    def _snapshot(self, page: LoadedPage) -> Saved | None:
        with self._fold_lock:
            if page.learner.cursor == page.saved or page.is_old:
                return None
            cursor, state = page.learner.cursor, page.learner.to_bytes()
        return Saved(page, cursor, zlib.compress(state, 1))


def is_rebuild(entry: Entry) -> bool:
    return entry.change is not None and "rebuild" in entry.change


def restored(row: PageRow, snapshot: tuple[int, bytes] | None) -> Learner:
    """Return the learner of a snapshot; a new one if there is no snapshot that can be read."""
    if snapshot is not None:
        try:
            cursor, state = snapshot
            return Learner.from_bytes(row, cursor, unpacked(state))
        except (msgspec.MsgspecError, UnirankError, ValueError, zlib.error) as error:
            log.warning(
                "page %s: its snapshot cannot be read, its log is replayed: %s", row.name, error
            )
    return Learner(row)


def unpacked(state: bytes) -> bytes:
    """Return the bytes of a learner in a snapshot, which older versions did not compress."""
    return zlib.decompress(state) if state.startswith(ZLIB) else state
