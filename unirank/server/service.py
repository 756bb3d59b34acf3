"""The service behind the routes: one method per request, and all that one process holds."""

import asyncio
import logging
from contextlib import suppress
from time import monotonic, time

from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickAnswer,
    ClickReport,
    ItemsChange,
    KeyRequest,
    KnownKey,
    NewKey,
    PageAnswer,
    PageList,
    PageRequest,
    PageSettings,
    PageSummary,
    RankAnswer,
    RankRequest,
    Rebuild,
    RebuildAnswer,
    Series,
)
from unirank.server.closing import Closing
from unirank.server.errors import NotFound, NotLoaded
from unirank.server.exports import export
from unirank.server.group_commit import GroupCommit
from unirank.server.in_time import in_thread
from unirank.server.keys import Keys
from unirank.server.learner import Tallies
from unirank.server.leases import Leases
from unirank.server.limits import Limits
from unirank.server.loaded_pages import LoadedPage, LoadedPages
from unirank.server.metrics import Metrics
from unirank.server.page_changes import PageChanges
from unirank.server.page_loader import PageLoader
from unirank.server.reports import Reports
from unirank.server.series import check_steps, series_of
from unirank.server.sessions import Sessions
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Store
from unirank.server.store_check import StoreCheck
from unirank.server.summaries import summary
from unirank.server.tokens import LONGEST, sealed
from unirank.server.view import View
from unirank.server.visitors import Visitors

log = logging.getLogger("unirank.server")


class Service:
    """Everything that one process holds.

    The parts do the work, each its own; the methods put a request to them and return its answer.
    """

    def __init__(
        self,
        store: Store,
        *,
        limits: Limits | None = None,
        most_in_memory: int = 1000,
        durable_views: bool = False,
        tick: float = 0.25,
    ) -> None:
        self.store = store
        self.durable_views = durable_views
        self.limits = limits or Limits()
        self.metrics = Metrics()
        self.keys = Keys(store)
        self.sessions = Sessions(store)
        self.leases = Leases(store)
        self.visitors = Visitors(store, self.limits)
        self.pages = LoadedPages(store, store.secret("arms"), most_in_memory)
        self.loader = PageLoader(store, self.pages)
        self.changes = PageChanges(store, self.pages, self.loader)
        self.writer = GroupCommit(store, self.metrics.store_errors.inc)
        self._token_key = store.secret("token")
        self.reports = Reports(self.writer, self._token_key)
        self.check_store = StoreCheck(store)
        self.closing = Closing(
            store,
            self.pages,
            tick=tick,
            chores=[
                self.leases.refill,
                self.keys.refresh,
                self.sessions.refresh,
                self.visitors.forget,
            ],
            on_trouble=self.metrics.store_errors.inc,
        )
        gauge = self.metrics.gauge
        gauge("pages_in_memory", "Pages in memory.", lambda: len(self.pages))
        gauge("cursor", "Last entry of the log that was folded.", lambda: self.pages.cursor)
        gauge("rankings_behind", "Views that are not written yet.", lambda: self.writer.n_behind)
        gauge("rankings_dropped", "Views that never were.", lambda: self.writer.n_dropped)

    def start(self) -> None:
        self.closing.start()

    def stop(self) -> None:
        """Write everything that waits, and snapshots as far as there is time.

        It takes at most 2.2 seconds, and one more answer of the database, if that hangs.
        """
        until = monotonic() + 2.2
        self.loader.stop()
        self.closing.stop(0.3)
        self.writer.flush(1.6)
        if n := self.writer.n_behind:
            log.error(
                "%s views are not written, as the database does not answer in time: those without "
                "a click are lost",
                n,
            )
        with suppress(StoreUnavailable):  # the log has everything
            self.pages.save(until)
        self.store.close()

    # Views.

    async def rank(self, name: str, request: RankRequest) -> RankAnswer:
        """Give a view to a visitor."""
        page = self.pages.get(name) or await self.loader.page(name)
        now = time()
        session = self.sessions.hashed(request.session, now)
        view = page.serving.view(self.leases.take(), request, session, now)
        token = sealed(view, self._token_key)
        if len(token) > LONGEST:
            raise ArgumentError(too_long(view, len(token)))
        if self.durable_views and not request.defer:
            await self.reports.write(view)
        elif not request.defer:
            self.writer.add(view)
        self.metrics.views[view.arm] += 1
        return RankAnswer(
            id=f"{view.id:x}",
            token=token,
            items=view.items,
            arm=view.arm,
            propensity=view.propensity,
            expires_at=view.expires_at,
        )

    async def shown(self, token: str) -> None:
        """Count a deferred view from now on."""
        await self.reports.shown(token)

    async def clicks(self, reports: list[ClickReport]) -> ClickAnswer:
        """Take clicks; they are on disk when this returns."""
        answer = await self.reports.clicks(reports)
        self.metrics.reported(answer)
        return answer

    # Pages.

    async def page(self, name: str, patience: float | None = None) -> LoadedPage:
        """Return a page, loaded if need be; NotLoaded after so many seconds."""
        return await self.loader.page(name, patience)

    async def put_page(self, name: str, sent: PageRequest | PageSettings) -> PageAnswer:
        """Make a page, or change window, holdout, mode and start of one."""
        return PageAnswer(name, created=await self.changes.put(name, sent))

    async def change_items(self, name: str, change: ItemsChange) -> PageSummary:
        """Add and remove items."""
        await self.changes.items(name, change)
        return await self.summary(name)

    async def delete_page(self, name: str) -> None:
        """Show a page no more. Its log stays; its tokens are refused from now on."""
        await self.changes.delete(name)

    async def rebuild(self, name: str, request: Rebuild, *, more: bool = False) -> RebuildAnswer:
        """Leave out what is named; every process learns again from the log.

        With `more`, what the last rebuild left out stays left out; else it comes back.
        """
        done = await self.changes.rebuild(name, request, more=more)
        named = {session for each in request.parts for session in each.sessions or ()}
        return RebuildAnswer(done.number, done.n_left_out, sorted(named - done.sessions))

    async def summary(
        self, name: str, *, explain: bool = True, patience: float | None = None
    ) -> PageSummary:
        """Say where a page stands; `explain` adds the policy's own words and flagged sessions."""
        page = await self.page(name, patience)
        tallies = await self.tallies(page)
        found = await asyncio.to_thread(summary, name, page.serving, tallies, explain=explain)
        if explain:
            found.flagged = await in_thread(self.visitors.flagged, page.row.number)
        return found

    async def tallies(self, page: LoadedPage) -> Tallies:
        """Return the counts of a page's arms."""
        return await in_thread(self.pages.tallies, page)

    async def summaries(self, after: str, most: int) -> PageList:
        """Say where pages stand, by name; a page that takes long to load is only named."""
        rows = await in_thread(self.store.pages, after, most)
        found = PageList([], rows[-1].name if len(rows) == most else None)
        patience = None
        for row in rows:
            try:
                summary = await self.summary(row.name, explain=False, patience=patience)
                found.pages.append(summary)
            except NotLoaded:
                found.loading.append(row.name)
                patience = 0.0  # one was waited for: the others are only begun
            except StoreUnavailable:
                raise
            except NotFound:
                continue  # it was deleted meanwhile
            except Exception:  # one page's fault must not hide the others
                log.exception("page %s cannot be read", row.name)
                found.unreadable.append(row.name)
        return found

    async def series(self, name: str, start: float, end: float, step: float) -> Series:
        """Return views and clicks of the arms in whole steps of time."""
        start, end = check_steps(start, end, step)
        page = await self.page(name)
        return await in_thread(series_of, self.store, page.row.number, start, end, step)

    # Keys, and the log.

    async def create_key(self, request: KeyRequest) -> NewKey:
        scopes = tuple(dict.fromkeys(request.scopes))
        return NewKey(await in_thread(self.keys.create, scopes, request.note))

    def known_keys(self) -> list[KnownKey]:
        return [KnownKey(key.id, sorted(key.scopes), key.note, key.created_at) for key in self.keys]

    async def delete_key(self, id_: str) -> None:
        await in_thread(self.keys.delete, id_)

    async def export(self, format_: str, after: int, most: int) -> tuple[bytes, int]:
        """Return entries of the log after a number, in a format, and the number to go on after."""
        return await in_thread(export, self.store, format_, after, most)


def too_long(view: View, n_letters: int) -> str:
    """Say that a view cannot be given, as no click on it could be reported."""
    what = "n_positions" if view.available is None else "available"
    return (
        f"{what} must let a view fit into a token of {LONGEST} letters, got {n_letters}: "
        "take fewer items or shorter ids"
    )
