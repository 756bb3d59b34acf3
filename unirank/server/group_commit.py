"""One thread writes views and clicks: all that came during a transaction go into the next.

A commit waits for the disk; a hundred clicks in one transaction wait once. Views without clicks are
written *behind*, at most DELAY later. If the process dies before, a view's token brings it back
with its first click.

Requests cross to the thread and back in groups: the event loop hands over at the end of a turn all
that it read in that turn, and one commit wakes the loop once.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Click, Committed, Store
from unirank.server.view import View

DELAY = 0.05  # seconds
# What waits in memory is bounded by its *room*: of a view, the number of its items and of those in
# `available`, and BESIDE for all else.
BESIDE = 10
MOST_BEHIND = 4_000_000  # room: 200,000 views of 10 items; beyond it the oldest are dropped
MOST_WAITING = 200_000  # room: 10,000 reports on such views; beyond it reports are refused
AT_ONCE = 100_000  # room in one transaction
PATIENCE = 3.0  # seconds that a request waits for its commit
LOOK_EVERY = 0.1  # seconds between looks for requests that have waited too long
PAUSE = 0.2  # seconds before the next try if the store does not answer

log = logging.getLogger("unirank.server")


class Waiting(NamedTuple):
    """A request that waits for its commit."""

    views: Sequence[View]
    clicks: Sequence[Click]
    final: Sequence[int]
    room: int
    done: "asyncio.Future[Committed]"


class GroupCommit:
    """The writing thread, and what waits for it."""

    def __init__(self, store: Store, on_trouble: Callable[[], None] = lambda: None) -> None:
        self._store, self._on_trouble = store, on_trouble
        self._in_trouble = False
        self._behind: list[View] = []
        self._room_behind = 0
        self._n_writing = 0  # views in the transaction that is under way
        self._waiting: list[Waiting] = []
        self._wake = Condition()
        # Only the event loop uses these.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[Waiting] = []  # in this turn of the loop
        self._until: dict[asyncio.Future[Committed], float] = {}  # how long each may wait
        self._room_waiting = 0  # of the requests in `_until`
        self._is_looking = False  # whether `_look` will be called
        # All threads use these.
        self._stopping = False
        self.n_dropped = 0
        self._thread = Thread(target=self._run, name="group commit", daemon=True)
        self._thread.start()

    def add(self, view: View) -> None:
        """Write a view soon."""
        with self._wake:
            self._behind.append(view)
            self._room_behind += room_of(view)
            self._drop_oldest()
            if len(self._behind) == 1:
                self._wake.notify()

    def _drop_oldest(self) -> None:
        if self._room_behind > MOST_BEHIND:
            n = _fitting(map(room_of, self._behind))  # dropping one costs as much as dropping many
            self._room_behind -= sum(map(room_of, self._behind[:n]))
            del self._behind[:n]
            self.n_dropped += n

    async def commit(
        self,
        views: Sequence[View] = (),
        clicks: Sequence[Click] = (),
        final: Sequence[int] = (),
        timeout: float = PATIENCE,
    ) -> Committed:
        """Write all of this in one transaction; return when it is on disk.

        StoreUnavailable if it is not within `timeout` seconds.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # requests of another loop are gone with it
            self._loop, self._gathered, self._is_looking = loop, [], False
            self._until, self._room_waiting = {}, 0
        if self._room_waiting >= MOST_WAITING:
            raise StoreUnavailable("the database does not keep up: too many clicks wait")
        done = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        room = sum(map(room_of, views))
        self._gathered.append(Waiting(views, clicks, final, room, done))
        if not self._is_looking:
            self._is_looking = True
            loop.call_later(LOOK_EVERY, self._look, loop)
        self._until[done] = loop.time() + timeout
        self._room_waiting += room
        try:
            return await done
        finally:
            if self._until.pop(done, None) is not None:
                self._room_waiting -= room

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        with self._wake:
            self._waiting += gathered
            self._wake.notify()

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Answer those who have waited too long."""
        now = loop.time()
        for done, until in self._until.items():
            if until <= now and not done.done():
                done.set_exception(StoreUnavailable("the database does not answer in time"))
        with self._wake:  # the thread, held up in the database, cannot let go of what it holds
            self._waiting = [each for each in self._waiting if not each.done.done()]
        self._is_looking = bool(self._until)
        if self._is_looking:
            loop.call_later(LOOK_EVERY, self._look, loop)

    @property
    def n_behind(self) -> int:
        """Views that are not written yet."""
        return len(self._behind) + self._n_writing

    def flush(self, timeout: float) -> None:
        """Write everything and stop; `n_behind` is what was not written in time."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join(timeout)

    def _run(self) -> None:
        while True:
            with self._wake:
                while not (self._waiting or self._behind or self._stopping):
                    self._wake.wait()
                until = monotonic() + DELAY
                while not (self._waiting or self._stopping) and (rest := until - monotonic()) > 0:
                    self._wake.wait(rest)
                waiting, behind = self._taken()
                if not waiting and not behind:
                    if self._stopping:
                        return
                    continue  # all were told that it took too long
            if not self._write(waiting, behind) and self._stopping:
                return

    def _taken(self) -> tuple[list[Waiting], list[View]]:
        """Take the views and requests of one transaction; drop requests that were answered."""
        waiting = [each for each in self._waiting if not each.done.done()]
        n = _fitting(each.room for each in waiting)
        waiting, self._waiting = waiting[:n], waiting[n:]
        n = _fitting(map(room_of, self._behind))
        behind, self._behind = self._behind[:n], self._behind[n:]
        self._room_behind -= sum(map(room_of, behind))
        self._n_writing = len(behind)
        return waiting, behind

    def _write(self, waiting: list[Waiting], behind: list[View]) -> bool:
        views = [*behind, *(i for each in waiting for i in each.views)]
        clicks = [click for each in waiting for click in each.clicks]
        final = [number for each in waiting for number in each.final]
        try:
            result: Committed | StoreUnavailable = self._store.commit(views, clicks, final)
        except StoreUnavailable as error:
            result = error
        except Exception as error:
            if len(waiting) + len(behind) > 1:  # halves, until the one that fails is alone
                first, second = _halves(waiting, behind)
                return self._write(*first) & self._write(*second)
            log.exception("the database refuses a view or a report")
            with self._wake:
                self._n_writing -= len(behind)
                self.n_dropped += len(behind)
            _tell(waiting, StoreUnavailable(f"the database refused: {error}"))
            return True  # to try again would not help
        _tell(waiting, result)
        if isinstance(result, StoreUnavailable):
            self._on_trouble()
            if not self._in_trouble:  # an outage is logged once
                log.warning("%s", result)
            self._in_trouble = True
            with self._wake:
                self._n_writing -= len(behind)
                self._behind[:0] = behind
                self._room_behind += sum(map(room_of, behind))
                self._drop_oldest()
                self._wake.wait(PAUSE)
            return False
        self._n_writing -= len(behind)
        if self._in_trouble:
            log.warning("the database takes clicks again")
        self._in_trouble = False
        return True


def room_of(view: View) -> int:
    """Return how much memory a view takes, in items."""
    return BESIDE + len(view.items) + len(view.available or ())


def _fitting(rooms: Iterable[int]) -> int:
    """Return how many of the first fit into one transaction: at least one, if there is any."""
    n = -1
    for n, total in enumerate(accumulate(rooms)):
        if total > AT_ONCE:
            return max(n, 1)
    return n + 1


def _halves(waiting: list[Waiting], behind: list[View]) -> list[tuple[list[Waiting], list[View]]]:
    if waiting and behind:
        return [(waiting, []), ([], behind)]
    i, j = len(waiting) // 2, len(behind) // 2
    return [(waiting[:i], behind[:j]), (waiting[i:], behind[j:])]


def _tell(waiting: list[Waiting], result: Committed | StoreUnavailable) -> None:
    if waiting:
        with suppress(RuntimeError):  # a loop that is closed has nobody who waits
            waiting[0].done.get_loop().call_soon_threadsafe(_answer, waiting, result)


def _answer(waiting: list[Waiting], result: Committed | StoreUnavailable) -> None:
    unclaimed = set() if isinstance(result, StoreUnavailable) else set(result.new)
    for each in waiting:
        if each.done.done():
            continue
        if isinstance(result, StoreUnavailable):
            each.done.set_exception(result)
        else:  # a click is new once: to the first of two requests that report it
            new = unclaimed.intersection(each.clicks)
            unclaimed -= new
            each.done.set_result(result._replace(new=new))
