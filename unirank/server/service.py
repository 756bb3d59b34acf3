"""The service behind the routes: one method per request."""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from math import ceil, floor
from operator import attrgetter
from time import monotonic, time
from typing import Any, NamedTuple, TypeVar

import msgspec

from unirank.arguments import LONGEST, shown
from unirank.errors import ArgumentError, UnirankError
from unirank.server.api import (
    MOST_DEFERRED,
    MOST_ITEMS,
    MOST_POINTS,
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
    Point,
    RankAnswer,
    RankRequest,
    Rebuild,
    RebuildAnswer,
    Rejected,
    Series,
    Visitor,
    Without,
)
from unirank.server.closing import Closing
from unirank.server.exports import FORMATS, NOTHING, Known
from unirank.server.group_commit import GroupCommit
from unirank.server.impression import Impression, ItemId
from unirank.server.keys import Keys
from unirank.server.learner import Tallies, best_order, compile_policy, items_of_now
from unirank.server.leases import Leases
from unirank.server.limits import Limits
from unirank.server.metrics import Metrics
from unirank.server.pages import Page, Pages
from unirank.server.serving import Serving
from unirank.server.sessions import Sessions
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Click, PageRow, Part, Store
from unirank.server.summaries import counted, summary
from unirank.server.tokens import LONGEST as LONGEST_TOKEN
from unirank.server.tokens import sealed, unsealed

T = TypeVar("T")
log = logging.getLogger("unirank.server")
DAY = 86400.0
STORE_TIMEOUT = 5.0  # seconds
LOADED_AT_ONCE = 2  # pages; a long log takes minutes, and none of the threads of other requests
MOST_TRIES = 10  # to change a page that others change at the same time
DELETED = "the page of this list was deleted"
OTHER = "the number of this list is another list's now: the database is an older copy"
KEY_ID = re.compile(r"[0-9a-f]{8}")
NAME = re.compile(r"[^\x00-\x1f\x7f/]{1,200}")
NAME_RULE = "a name has 1 to 200 letters, and neither / nor control characters"
ALWAYS_CHANGED = "page {!r} is changed by others all the time: send the change again"
LAST_KEY = (
    "is the last that may do everything: make another first, with POST /v1/keys and "
    '"scopes": ["admin"]'
)


class NotFound(UnirankError):  # noqa: N818 - an answer, not a fault
    """There is no such page."""


class Conflict(UnirankError):  # noqa: N818
    """The request contradicts what is there."""


class NotLoaded(StoreUnavailable):
    """The page is not in memory yet."""


class Plan(NamedTuple):
    """A change of a page: the entry of the log, and the settings from then on."""

    change: dict[str, Any]
    settings: PageSettings


class Service:
    """Everything that one process holds."""

    def __init__(
        self,
        store: Store,
        *,
        limits: Limits | None = None,
        most_in_memory: int = 1000,
        durable_impressions: bool = False,
        tick: float = 0.25,
    ) -> None:
        self.store = store
        self.durable_impressions = durable_impressions
        self._token_key = store.secret("token")
        self.keys = Keys(store)
        self.sessions = Sessions(store)
        self.pages = Pages(store, store.secret("arms"), most_in_memory)
        self.leases = Leases(store)
        self.limits = limits or Limits()
        self.metrics = Metrics()
        self.writer = GroupCommit(store, self.metrics.store_errors.inc)
        self.closing = Closing(
            store,
            self.pages,
            tick=tick,
            chores=[
                self.leases.refill,
                self.keys.refresh,
                self.sessions.refresh,
                self._forget_visitors,
            ],
            on_trouble=self.metrics.store_errors.inc,
        )
        self._compiling: dict[str, asyncio.Future[PageRow | None]] = {}  # by name
        self._loading: dict[int, Future[Page | None]] = {}  # by number; until its thread ends
        self._loader = ThreadPoolExecutor(LOADED_AT_ONCE, "loading")
        self._looking: asyncio.Future[None] | None = None  # whether the database answers
        self._visitors_forgotten = 0.0
        gauge = self.metrics.gauge
        gauge("pages_in_memory", "Pages in memory.", lambda: len(self.pages))
        gauge("cursor", "Last entry of the log that was folded.", lambda: self.pages.cursor)
        gauge("rankings_behind", "Lists that are not written yet.", lambda: self.writer.n_behind)
        gauge("rankings_dropped", "Lists that never were.", lambda: self.writer.n_dropped)

    def start(self) -> None:
        self.closing.start()

    def stop(self) -> None:
        """Write everything that waits, and snapshots as far as there is time.

        It takes at most 2.2 seconds, and one more answer of the database, if that hangs.
        """
        until = monotonic() + 2.2
        self._loader.shutdown(wait=False, cancel_futures=True)
        self.closing.stop(0.3)
        self.writer.flush(1.6)
        if n := self.writer.n_behind:
            log.error(
                "%s lists are not written, as the database does not answer in time: those without "
                "a click are lost",
                n,
            )
        with suppress(StoreUnavailable):  # the log has everything
            self.pages.save(until)
        self.store.close()

    # Rank and click.

    async def rank(self, name: str, request: RankRequest) -> RankAnswer:
        page = self.pages.get(name) or await self.page(name)
        now = time()
        session = self.sessions.hashed(request.session, now)
        shown = page.serving.impression(self.leases.take(), request, session, now)
        token = sealed(shown, self._token_key)
        if len(token) > LONGEST_TOKEN:
            raise ArgumentError(too_long(shown, len(token)))
        if self.durable_impressions and not request.defer:
            await self._counted(shown)
        elif not request.defer:
            self.writer.add(shown)
        self.metrics.rankings[shown.arm] += 1
        return RankAnswer(
            id=f"{shown.id:x}",
            token=token,
            items=shown.items,
            arm=shown.arm,
            propensity=shown.propensity,
            expires_at=shown.expires_at,
        )

    async def shown(self, token: str) -> None:
        """Count a deferred list from now on."""
        shown, now = unsealed(token, self._token_key), time()
        if not shown.deferred:
            raise ArgumentError(
                "token must be of a list that was asked for with `defer`, got another: it counts "
                "without this report"
            )
        if now > shown.shown_at + MOST_DEFERRED:
            raise ArgumentError(
                f"token must be of a list that was asked for at most {MOST_DEFERRED / DAY:g} days "
                f"ago, got one of {(now - shown.shown_at) / DAY:.1f} days ago: ask for a new list"
            )
        await self._counted(_begun(shown, now))

    async def _counted(self, shown: Impression) -> None:
        if shown.id in (await self.writer.commit([shown])).gone:
            raise NotFound(DELETED)

    async def clicks(self, reports: list[ClickReport]) -> ClickAnswer:
        """Store clicks; they are on disk when this returns."""
        impressions: list[Impression] = []
        clicks: list[Click] = []
        final: list[int] = []
        reported: list[tuple[int, int]] = []  # index of a report, and its ranking
        rejected: list[Rejected] = []
        n_late, now = 0, time()
        for index, report in enumerate(reports):
            try:
                shown = unsealed(report.token, self._token_key)
                positions = _positions(shown, report)
            except ArgumentError as error:
                rejected.append(Rejected(index, str(error)))
                continue
            if now > _last_click(shown):
                n_late += len(positions)
                continue
            reported.append((index, shown.id))
            impressions.append(_begun(shown, now))
            clicks.extend(Click(shown.id, position) for position in positions)
            if report.final:
                final.append(shown.id)
        if not impressions:
            return self._told(ClickAnswer(0, 0, n_late, rejected))
        done = await self.writer.commit(impressions, clicks, final)
        if refused := dict.fromkeys(done.other, OTHER) | dict.fromkeys(done.gone, DELETED):
            rejected += [Rejected(index, refused[id_]) for index, id_ in reported if id_ in refused]
            rejected.sort(key=attrgetter("index"))
            clicks = [click for click in clicks if click.ranking not in refused]
        n_open = sum(click.ranking in done.open for click in clicks)
        n_new = len(done.new.intersection(clicks))
        answer = ClickAnswer(n_new, n_open - n_new, n_late + len(clicks) - n_open, rejected)
        return self._told(answer)

    def _told(self, answer: ClickAnswer) -> ClickAnswer:
        for was in self.metrics.clicks:
            self.metrics.clicks[was] += getattr(answer, was)
        self.metrics.rejected += len(answer.rejected)
        return answer

    # Pages.

    async def page(self, name: str, patience: float | None = None) -> Page:
        """The page, loaded if need be; several requests wait for one loading, each so long."""
        if (page := self.pages.get(name)) is not None:
            return page
        if not NAME.fullmatch(name):
            raise NotFound(f"there is no page {shown(name, 60)}: {NAME_RULE}")
        compiling = self._compiling.get(name)
        if compiling is None:
            compiling = self._compiling[name] = asyncio.ensure_future(self._compiled(name))
            compiling.add_done_callback(lambda _: self._compiling.pop(name, None))
        row = await asyncio.shield(compiling)
        found = None if row is None else await self._loaded(row, patience)
        if found is None:
            raise NotFound(f"there is no page {name!r}: make it with PUT /v1/pages/{name}")
        return found

    async def _compiled(self, name: str) -> PageRow | None:
        row = await self._in_thread(self.store.page, name)
        if row is not None:
            await asyncio.to_thread(self.pages.compile, row)  # however long: that is not the store
        return row

    async def _loaded(self, row: PageRow, patience: float | None) -> Page | None:
        loading = self._loading.get(row.number)
        if loading is None:
            loading = self._loading[row.number] = self._loader.submit(
                self.pages.load, row.name, row
            )
            loading.add_done_callback(lambda loading: self._load_ended(row, loading))
        waiting = asyncio.shield(asyncio.wrap_future(loading))
        try:
            return await asyncio.wait_for(waiting, STORE_TIMEOUT if patience is None else patience)
        except TimeoutError:
            raise NotLoaded(
                f"page {row.name!r} is being loaded, which takes long if it is learnt again from a "
                "long log: send the request again after a second"
            ) from None

    def _load_ended(self, row: PageRow, loading: Future[Page | None]) -> None:
        del self._loading[row.number]
        error = None if loading.cancelled() else loading.exception()
        if error is not None and not isinstance(error, StoreUnavailable):  # perhaps nobody waits
            log.error("page %s cannot be loaded: %s", row.name, error)

    async def put_page(self, name: str, sent: PageRequest | PageSettings) -> PageAnswer:
        """Make a page, or change window, holdout, mode and start of one."""
        if not NAME.fullmatch(name):
            raise ArgumentError(f"page must be a name, got {shown(name, 60)}: {NAME_RULE}")
        if await self._in_thread(self.store.page, name) is None:
            settings = _settings(sent)
            await asyncio.to_thread(check_settings, settings)
            if await self._in_thread(self.store.create_page, name, settings) is not None:
                await self._in_thread(self.pages.catch_up)  # one of this name may be gone
                await self.page(name)
                return PageAnswer(name, created=True)

        def plan(serving: Serving) -> Plan | None:
            settings = _settings(sent, serving.settings_now)
            check_same(name, serving, settings)  # first: `start` of other items is no own fault
            check_settings(settings)
            settings = msgspec.structs.replace(settings, items=serving.items)  # `start` orders
            if settings == serving.settings_now:
                return None
            change = {"settings": msgspec.to_builtins(settings)}
            if settings.mode == "frozen" != serving.settings.mode:
                change["order"] = best_order(serving.policy)
            return Plan(change, settings)

        await self._change(name, plan)
        return PageAnswer(name, created=False)

    async def change_items(self, name: str, change: ItemsChange) -> PageSummary:
        """Add and remove items."""

        def plan(serving: Serving) -> Plan:
            trial = serving.policy.without_rounds()  # its errors are the answer
            _each("add", change.add, trial.add)
            check_left(serving, change)
            _each("remove", change.remove, trial.remove)
            items = items_of_now(trial)
            check_number(items)
            settings = msgspec.structs.replace(serving.settings, items=items)
            return Plan({"add": change.add, "remove": change.remove}, settings)

        await self._change(name, plan)
        return await self.summary(name)

    async def _change(self, name: str, plan: Callable[[Serving], Plan | None]) -> None:
        """Change a page as planned from where it stands; plan again if another change came first.

        A plan may take long, so it is made in a thread; it must not change anything.
        """
        for _ in range(MOST_TRIES):
            await self._in_thread(self.pages.catch_up)
            page = await self.page(name)
            serving = page.serving
            planned = await asyncio.to_thread(plan, serving)
            if planned is None:
                return
            values = page.row.number, planned.change, planned.settings, serving.as_of
            if await self._in_thread(self.store.change_page, *values) is not None:
                await self._in_thread(self.pages.catch_up)
                return
        raise Conflict(ALWAYS_CHANGED.format(name))

    async def delete_page(self, name: str) -> None:
        """Show a page no more. Its log stays; its tokens are refused from now on."""
        if not NAME.fullmatch(name) or not await self._in_thread(self.store.delete_page, name):
            raise NotFound(f"there is no page {shown(name, 60)}")
        await self._in_thread(self.pages.catch_up)

    async def rebuild(self, name: str, request: Rebuild, *, more: bool = False) -> RebuildAnswer:
        """Leave out what is named; every process learns again from the log.

        With `more`, what the last rebuild left out stays left out; else it comes back.
        """
        for each in request.parts:
            if each.from_ is not None and each.to is not None and each.from_ > each.to:
                raise ArgumentError(
                    f"from must be at most to, got from={each.from_:.15g} and to={each.to:.15g}"
                )
        for _ in range(MOST_TRIES):
            await self._in_thread(self.pages.catch_up)
            page = await self.page(name)
            serving = page.serving
            without = [*(serving.without if more else ()), *until(time(), request.parts)]
            change = {"rebuild": msgspec.to_builtins(without)}
            parts = [Part(each.sessions, each.from_, each.to) for each in without]
            values = page.row.number, change, parts, serving.as_of
            # However long: it goes on when nobody waits for it, and sent again it is done again.
            done = await asyncio.to_thread(self.store.rebuild_page, *values)
            if done is not None:
                with suppress(StoreUnavailable):  # it is done: the closing thread catches up
                    await self._in_thread(self.pages.catch_up)
                named = {session for each in request.parts for session in each.sessions or ()}
                return RebuildAnswer(done.number, done.n_left_out, sorted(named - done.sessions))
        raise Conflict(ALWAYS_CHANGED.format(name))

    async def summary(
        self, name: str, *, explain: bool = True, patience: float | None = None
    ) -> PageSummary:
        """Where a page stands; `explain` adds the policy's own words and flagged sessions."""
        page = await self.page(name, patience)
        tallies = await self.tallies(page)
        found = await asyncio.to_thread(summary, name, page.serving, tallies, explain=explain)
        if explain:
            most = self.limits.clicks_per_session
            rows = await self._in_thread(self.store.busiest_visitors, page.row.number, most)
            found.flagged = [Visitor(session.hex(), *counts) for session, *counts in rows]
        return found

    async def tallies(self, page: Page) -> Tallies:
        """Counts of the arms of a page."""
        return await self._in_thread(self.pages.tallies, page)

    async def summaries(self, after: str, most: int) -> PageList:
        """Pages by name; those that are not in memory are loaded, unless that takes long."""
        rows = await self._in_thread(self.store.pages, after, most)
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
        """Views and clicks of the arms in whole steps of time, by when their windows were over."""
        if start > end:
            raise ArgumentError(f"from must be at most to, got from={start:.15g} and to={end:.15g}")
        start, end = floor(start / step) * step, ceil(end / step) * step
        if (end - start) / step > MOST_POINTS:
            raise ArgumentError(f"step must give at most {MOST_POINTS} points, got {step:g}")
        page = await self.page(name)
        until = min(end, time())  # a final report came before its window is over
        rows = await self._in_thread(self.store.series, page.row.number, start, until, step)
        points: dict[int, Point] = {}
        for number, arm, views, clicks in rows:
            point = points.setdefault(number, Point(start + number * step, {}))
            point.arms[arm] = counted(views, clicks)
        return Series(step, list(points.values()))

    # Keys.

    async def create_key(self, request: KeyRequest) -> NewKey:
        scopes = tuple(dict.fromkeys(request.scopes))
        return NewKey(await self._in_thread(self.keys.create, scopes, request.note))

    def known_keys(self) -> list[KnownKey]:
        return [KnownKey(key.id, sorted(key.scopes), key.note, key.created_at) for key in self.keys]

    async def delete_key(self, id_: str) -> None:
        if not KEY_ID.fullmatch(id_) or not await self._in_thread(self._delete_key, id_):
            raise NotFound(f"there is no key {shown(id_, 60)}")

    def _delete_key(self, id_: str) -> bool:
        self.keys.refresh()  # other processes make and delete keys, too
        if [key.id for key in self.keys if key.may("admin")] == [id_]:
            raise Conflict(f"key {id_!r} {LAST_KEY}")
        return self.keys.delete(id_)

    # The log, and the store itself.

    async def check_store(self) -> None:
        """Raise StoreUnavailable unless the database answers and can be written.

        Those who ask meanwhile wait for one look: a database that hangs must not take all threads.
        """
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(asyncio.to_thread(self.store.check))
        await _in_time(asyncio.shield(self._looking))

    async def export(self, format_: str, after: int, most: int) -> tuple[bytes, int]:
        """Entries of the log after a number, in a format, and the number to go on after."""
        return await self._in_thread(self._exported, format_, after, most)

    def _exported(self, format_: str, after: int, most: int) -> tuple[bytes, int]:
        entries = self.store.log_after(after, most)
        write, _ = FORMATS[format_]
        pages = {entry.page for entry in entries}
        names, known = self.store.page_names(pages), NOTHING
        if format_ == "obp":
            known = Known(items=self.store.page_items(pages))
        elif format_ == "ubi":
            clicked = [each.impression.id for each in entries if each.impression and each.clicks]
            known = Known(clicked_at=self.store.click_times(clicked))
        content = write(((names[entry.page], entry) for entry in entries), known)
        return content, entries[-1].number if entries else after

    def _forget_visitors(self) -> None:
        """Forget sessions of earlier days, but those that are flagged."""
        if time() > self._visitors_forgotten + DAY / 24:
            self._visitors_forgotten = time()
            self.store.forget_visitors(time() - 2 * DAY, self.limits.clicks_per_session)

    async def _in_thread(self, function: Callable[..., T], *values: Any) -> T:
        """Ask the store without holding up other requests; it must answer in time."""
        return await _in_time(asyncio.to_thread(function, *values))


async def _in_time(answer: Awaitable[T]) -> T:
    try:
        return await asyncio.wait_for(answer, STORE_TIMEOUT)
    except TimeoutError:
        raise StoreUnavailable("the database does not answer in time") from None


def _last_click(shown: Impression) -> float:
    """Return the time after which no click counts; before it, the stored row decides."""
    return shown.expires_at + DAY + (MOST_DEFERRED if shown.deferred else 0.0)


def _begun(shown: Impression, now: float) -> Impression:
    """A deferred list whose window begins now; any other as it is."""
    if not shown.deferred:
        return shown
    window = shown.expires_at - shown.shown_at
    return msgspec.structs.replace(shown, shown_at=now, expires_at=now + window)


def too_long(given: Impression, n_letters: int) -> str:
    """Say that a list cannot be given, as no click on it could be reported."""
    what = "n_positions" if given.available is None else "available"
    return (
        f"{what} must let a list fit into a token of {LONGEST_TOKEN} letters, got {n_letters}: "
        "take fewer items or shorter ids"
    )


def _positions(given: Impression, report: ClickReport) -> set[int]:
    """Positions of the clicked items."""
    for item in report.clicks:
        if item not in given.items:
            raise ArgumentError(
                f"clicks must be among the shown {shown(given.items)}, got {shown(item, 60)}"
            )
    return {given.items.index(item) for item in report.clicks}


def until(now: float, parts: list[Without]) -> list[Without]:
    """The parts, each with its end: named again later, they mean no list that came since."""
    return [
        msgspec.structs.replace(each, to=now if each.to is None else min(each.to, now))
        for each in parts
        if each.from_ is None or each.from_ <= now
    ]


def _each(field: str, items: Sequence[ItemId], do: Callable[[ItemId], None]) -> None:
    """Call `do` with each item; an error names the item's place in the request."""
    for n, item in enumerate(items):
        try:
            do(item)
        except ArgumentError as error:
            raise ArgumentError(re.sub(r"^item ", f"{field}[{n}] ", str(error))) from None


def _settings(sent: PageRequest | PageSettings, there: PageSettings | None = None) -> PageSettings:
    return sent.settings(there) if isinstance(sent, PageRequest) else sent


def check_settings(settings: PageSettings) -> None:
    """Raise ArgumentError unless a page can be made of these settings."""
    check_number(settings.items)
    check_start(settings)
    policy = compile_policy(settings)  # now, not in a request
    if settings.mode == "frozen" and not hasattr(type(policy), "leader"):
        raise ArgumentError(f"mode must not be frozen: {policy.name} has no leader to show")


def check_number(items: Sequence[ItemId]) -> None:
    """Raise ArgumentError if these are more items than a page may have."""
    if len(items) > MOST_ITEMS:
        raise ArgumentError(
            f"items must be at most {MOST_ITEMS} on a page, got {len(items)}: remove some, or "
            "make another page for them"
        )


def check_start(settings: PageSettings) -> None:
    """Raise ArgumentError unless `start` has the items, each once."""
    if settings.start is None:
        return
    items, start = Counter(dict.fromkeys(settings.items, 1)), Counter(settings.start)
    wrong = [
        f"{words} {', '.join(map(repr, more))}"
        for words, more in (("it lacks", items - start), ("too many are", start - items))
        if more
    ]
    if wrong:
        sentence = f"start must hold every item once, as `items` does: {'; '.join(wrong)}"
        raise ArgumentError(f"{sentence:.{LONGEST}}")


def check_left(serving: Serving, change: ItemsChange) -> None:
    """Raise ArgumentError if the page would have fewer items than it shows."""
    n_left = len({*serving.items, *change.add} - set(change.remove))
    needed = serving.settings.n_positions
    if n_left < needed:
        raise ArgumentError(
            f"remove must leave at least n_positions={needed} items, got {shown(change.remove)}, "
            f"which leaves {n_left}: add other items first, or delete the page"
        )


def check_same(page: str, serving: Serving, settings: PageSettings) -> None:
    """Raise Conflict if a page that is there would have to begin anew."""
    there = serving.settings
    for name in ("policy", "options", "n_positions"):
        mine, theirs = getattr(there, name), getattr(settings, name)
        if mine != theirs:
            raise Conflict(
                f"page {page!r} has {name} {shown(mine, 60)}, got {shown(theirs, 60)}: "
                "to begin anew, take another name"
            )
    sent, here = set(settings.items), set(serving.items)
    if sent != here:
        more = [item for item in settings.items if item not in here]
        fewer = [item for item in serving.items if item not in sent]
        raise Conflict(
            f"page {page!r} has other items: new are {shown(more, 60)}, gone are "
            f"{shown(fewer, 60)}; change them with PATCH /v1/pages/{page}/items"
        )
    if settings.start is None and settings.items != serving.items:
        raise Conflict(
            f"page {page!r} has its items in another order, which the holdout sees: send `items` "
            "as GET shows them, and a new order as `start`"
        )
