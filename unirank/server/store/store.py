"""The store: every question that the service asks its database, and nothing else asks it.

    page, log       pages; and outcomes of views and changes of pages, in one order for all pages
    ranking, click  a row for each view, and for each position of a view that was clicked
    visitor         views and clicks by session
    snapshot        what a page had learnt when its log had reached a number
    lease           the next number that no view has
    secret, api_key

An outcome gets its number under a lock that is held until its transaction is committed. Numbers are
therefore visible in their order, without gaps, and "everything after the last number that I have
seen" misses nothing. A transaction that needs that lock takes it first, before any row, so that two
transactions never wait for each other in a ring.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from secrets import randbits, token_bytes
from time import time
from typing import Any, NamedTuple

import msgspec

from unirank.server.store.database import Database, Rows, Session
from unirank.server.view import ItemId, View

READ_AT_ONCE = 2000  # entries of the log
_FIRST, _LAST = -1e18, 1e18  # times before and after all


class PageRow(NamedTuple):
    number: int
    name: str
    seed: int
    settings: bytes  # JSON


class Entry(NamedTuple):
    """One entry of the log: the outcome of a view, or a change of a page."""

    number: int
    page: int
    at: float
    view: View | None
    clicks: tuple[int, ...]  # positions
    change: dict[str, Any] | None
    left_out: bool
    final_at: float | None = None  # when a final report came before the end of the window

    @property
    def due_at(self) -> float:
        """When the view could be closed: the end of its window, or the final report before.

        Outcomes come into the log in the order of (due_at, id of the view).
        """
        assert self.view is not None
        return self.view.expires_at if self.final_at is None else self.final_at


class Part(NamedTuple):
    """Views to leave out: of some sessions or of all, shown from `start` until before `end`.

    A part without any field leaves out nothing.
    """

    sessions: Sequence[str] | None = None  # hexadecimal hashes
    start: float | None = None
    end: float | None = None


class Rebuilt(NamedTuple):
    """What a rebuild did."""

    number: int  # of its entry in the log
    n_left_out: int  # views that are left out now
    sessions: set[str]  # of these views


class Click(NamedTuple):
    view: int
    position: int


class Committed(NamedTuple):
    """What became of the clicks of one group."""

    new: set[Click]
    open: set[int]  # views whose outcome does not exist yet
    gone: set[int]  # views of deleted pages, of which nothing was written
    other: set[int]  # views whose number another view has, without a click written


class Store:
    """All SQL of the service."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self) -> None:
        self.database.close()

    # Rankings and clicks.

    def commit(
        self,
        views: Iterable[View],
        clicks: Sequence[Click] = (),
        final: Iterable[int] = (),
    ) -> Committed:
        """Write all of this in one transaction; it is on disk when this returns.

        The views of all clicks must be among `views`: a view that was lost is written again. These
        are not written: a click on a view that is closed; anything of a page that was deleted; a
        click on a view whose number another view has, as happens after a backup was restored.
        `final` are views to close at once; their rows keep the end of their windows.
        """
        rows: dict[int, View] = {}
        other: set[int] = set()
        for view in views:
            first = rows.setdefault(view.id, view)
            if not _is_of(view, first.page, first.shown_at):
                other.add(view.id)
        pages = sorted({view.page for view in rows.values()})
        now = time()
        with self.database.transaction() as session:
            deleted = {number for (number,) in session.run("deleted_pages", pages=pages)}
            gone = {id_ for id_, view in rows.items() if view.page in deleted}
            for id_ in gone:
                del rows[id_]
            clicked = sorted({click for click in clicks if click.view not in gone})
            ids = sorted({click.view for click in clicked} | set(final) - gone)
            # Sorted: two processes that meet the same rows must not wait for each other in a ring.
            if rows:
                values = [_view_row(rows[id_]) for id_ in sorted(rows)]
                session.run("insert_views", views=_json(values))
            is_open = set()
            for id_, page, shown_at in session.run("open_views", ids=ids) if ids else ():
                if _is_of(rows[id_], page, shown_at) and id_ not in other:
                    is_open.add(id_)
                else:
                    other.add(id_)
            new: Rows = []
            if taken := [click for click in clicked if click.view in is_open]:
                new = session.run("insert_clicks", clicks=_json(taken), now=now)
            if final:
                session.run("expire", ids=sorted(set(final) & is_open), now=now)
        return Committed({Click(*row) for row in new}, is_open, gone, other)

    def close_due(self, most: int, now: float | None = None) -> int:
        """Turn views whose window is over into outcomes, in order; return how many."""
        now = time() if now is None else now
        with self.database.reading() as session:  # without the lock: mostly nothing is due
            if not session.run("is_due", now=now):
                return 0
        with self.database.transaction() as session:
            session.run("lock_log")
            ids = [id_ for (id_,) in session.run("due_views", now=now, most=most)]
            if ids:
                session.run("close_views", ids=ids, now=now)
                session.run("mark_closed", ids=ids)
                session.run("count_visitors", ids=ids, now=now)
        return len(ids)

    # The log.

    def last_number(self) -> int:
        with self.database.reading() as session:
            return int(session.run("last_number")[0][0])

    def log_after(self, number: int, most: int = READ_AT_ONCE) -> list[Entry]:
        with self.database.reading() as session:
            rows = session.run("log_after", after=number, most=most)
        return _entries(rows)  # outside of the block: others may read meanwhile

    def page_log_after(self, page: int, number: int) -> Iterator[Entry]:
        """Yield all entries of one page after a number."""
        while True:
            with self.database.reading() as session:
                rows = session.run("page_log_after", page=page, after=number, most=READ_AT_ONCE)
            yield from _entries(rows)
            if len(rows) < READ_AT_ONCE:
                return
            number = rows[-1][0]

    def series(self, page: int, start: float, end: float, step: float) -> Rows:
        """Return rows of (number of the step, arm, views, clicks)."""
        with self.database.reading() as session:
            return session.run("series", page=page, step=step, first=start, until=end)

    # Pages.

    def pages(self, after: str = "", most: int = 1000) -> list[PageRow]:
        """Return pages in the order of their names, from after a name."""
        with self.database.reading() as session:
            return [_page_row(row) for row in session.run("pages", after=after, most=most)]

    def page(self, name: str) -> PageRow | None:
        with self.database.reading() as session:
            rows = session.run("page_named", name=name)
        return _page_row(rows[0]) if rows else None

    def create_page(self, name: str, settings: Any) -> int | None:
        """Create a page; return its number, or None if the name is taken."""
        text = _json(settings)
        with self.database.transaction() as session:
            session.run("lock_log")
            values = {"name": name, "seed": randbits(62), "settings": text, "now": time()}
            rows = session.run("insert_page", **values)
            if not rows:
                return None
            (number,) = rows[0]
            _append(session, number, {"settings": msgspec.to_builtins(settings)})
        return int(number)

    def change_page(
        self, page: int, change: dict[str, Any], settings: Any, after: int | None = None
    ) -> int | None:
        """Append a change of a page to the log, with its settings from then on; return its number.

        If another change has come after the entry `after`, change nothing and return None.
        """
        with self.database.transaction() as session:
            session.run("lock_log")
            if after is not None and session.run("change_after", page=page, after=after):
                return None
            session.run("set_settings", page=page, settings=_json(settings))
            return _append(session, page, change)

    def delete_page(self, name: str) -> int | None:
        """Delete a page; return the number of the entry that says so, or None if there is none.

        Its log stays, under the page's name and number (`shop/7`), which no page can be called.
        """
        with self.database.transaction() as session:
            session.run("lock_log")
            rows = session.run("delete_page", name=name, now=time())
            return _append(session, rows[0][0], {"deleted": True}) if rows else None

    def rebuild_page(
        self, page: int, change: dict[str, Any], parts: Iterable[Part], after: int | None = None
    ) -> Rebuilt | None:
        """Leave out these views, and no others, and append the change that says so.

        If another change has come after the entry `after`, change nothing and return None.
        """
        with self.database.transaction() as session:
            session.run("lock_log")
            if after is not None and session.run("change_after", page=page, after=after):
                return None
            before = {id_ for (id_,) in session.run("left_out", page=page)}
            named: dict[int, bytes] = {}
            for part in parts:
                if part == Part():
                    continue
                rows = session.run(
                    "views_of",
                    page=page,
                    every_session=part.sessions is None,
                    sessions=list(part.sessions or ()),
                    first=_FIRST if part.start is None else part.start,
                    until=_LAST if part.end is None else part.end,
                )
                named |= rows
            if changed := sorted(before ^ named.keys()):
                session.run("turn_views", ids=changed)
                session.run("turn_outcomes", ids=changed)
            sessions = {bytes(hashed).hex() for hashed in named.values()}
            session.run("mark_visitors", page=page, sessions=list(sessions))
            return Rebuilt(_append(session, page, change), len(named), sessions)

    def page_names(self, numbers: Iterable[int]) -> dict[int, str]:
        with self.database.reading() as session:
            return dict(session.run("page_names", numbers=sorted(numbers)))

    def page_items(self, pages: Iterable[int]) -> dict[int, list[ItemId]]:
        """Return all items that pages ever had, in the order in which they came.

        The place of an item in this order never changes.
        """
        with self.database.reading() as session:
            rows = session.run("page_changes", pages=sorted(pages))
        found: dict[int, dict[ItemId, None]] = {}
        for page, text in rows:
            change = msgspec.json.decode(text)
            items = change.get("add", []) + change.get("settings", {}).get("items", [])
            found.setdefault(page, {}).update(dict.fromkeys(items))
        return {page: list(items) for page, items in found.items()}

    def click_times(self, views: Sequence[int]) -> dict[Click, float]:
        """Return when the clicks on some views were reported."""
        with self.database.reading() as session:
            rows = session.run("click_times", ids=list(views))
        return {Click(view, position): at for view, position, at in rows}

    def busiest_visitors(self, page: int, most: int) -> Rows:
        """Return rows of (session, views, clicks, last outcome, whether left out).

        Only sessions with more than `most` clicks, those with the most first.
        """
        with self.database.reading() as session:
            rows = session.run("busiest_visitors", page=page, most=most)
        return [(bytes(row[0]), *row[1:-1], bool(row[-1])) for row in rows]

    def forget_visitors(self, before: float, most: int) -> None:
        """Forget sessions with at most so many clicks whose last outcome is before a time."""
        with self.database.transaction() as session:
            session.run("lock_log")
            session.run("forget_visitors", before=before, most=most)

    def snapshot(self, page: int) -> tuple[int, bytes] | None:
        with self.database.reading() as session:
            rows = session.run("snapshot", page=page)
        return (int(rows[0][0]), bytes(rows[0][1])) if rows else None

    def save_snapshots(self, snapshots: Iterable[tuple[int, int, bytes]]) -> None:
        """Keep what pages had learnt; an older snapshot never replaces a newer one."""
        rows = [{"page": page, "cursor": cursor, "state": s} for page, cursor, s in snapshots]
        if rows:
            with self.database.transaction() as session:
                session.run_many("save_snapshot", sorted(rows, key=itemgetter("page")))

    def check(self) -> None:
        """Raise StoreUnavailable unless the database can be written."""
        with self.database.transaction() as session:
            session.run("waste_number")

    # Numbers, secrets, keys.

    def lease(self, n: int) -> int:
        """Return the first of n numbers that nobody else gets."""
        with self.database.transaction() as session:
            return int(session.run("lease", n=n)[0][0]) - n

    def secret(self, name: str, n_bytes: int = 32) -> bytes:
        """A random secret that all processes share, made on first use."""
        with self.database.transaction() as session:
            session.run("insert_secret", name=name, value=token_bytes(n_bytes))
            return bytes(session.run("secret", name=name)[0][0])

    def forget_salts(self, before: str) -> None:
        """Delete the salts of earlier days, also from the files of the database."""
        with self.database.transaction() as session:
            deleted = session.run("forget_secrets", before=before)
        if deleted:
            self.database.erase()

    def api_keys(self) -> Rows:
        """Id, hash, scopes, note and time of every key, the oldest first."""
        with self.database.reading() as session:
            return session.run("keys")

    def delete_key(self, id_: str) -> bool:
        """Delete a key; return whether there was one."""
        with self.database.transaction() as session:
            return bool(session.run("delete_key", id=id_))

    def add_key(
        self, id_: str, hash_: bytes, scopes: str, note: str, *, if_first: bool = False
    ) -> bool:
        """Add a key; with `if_first` only if there is none. Return whether it was added."""
        with self.database.transaction() as session:
            if if_first:
                session.run("lock_log")  # two processes may begin at once
                if session.run("keys"):
                    return False
            session.run("insert_key", id=id_, hash=hash_, scopes=scopes, note=note, now=time())
        return True


def _is_of(view: View, page: int, shown_at: float) -> bool:
    """Return whether a row is of this view, not of another that was given the same number."""
    return view.page == page and (view.deferred or view.shown_at == shown_at)


def _append(session: Session, page: int, change: dict[str, Any]) -> int:
    return int(session.run("append_change", page=page, now=time(), change=_json(change))[0][0])


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


_items = msgspec.json.Decoder(list[ItemId]).decode
_positions = msgspec.json.Decoder(tuple[int, ...]).decode


def _view_row(view: View) -> tuple[Any, ...]:
    """Return a view for `insert_views`: without bytes, and no null character for PostgreSQL."""
    return (
        view.id,
        view.page,
        _json(view.items),
        view.memory.hex(),
        view.arm,
        view.propensity,
        view.shown_at,
        view.expires_at,
        view.session.hex(),
        view.place,
        None if view.available is None else _json(view.available),
        view.settings_entry,
    )


def _page_row(row: tuple[Any, ...]) -> PageRow:
    number, name, seed, settings = row
    return PageRow(number, name, seed, settings.encode())


def _entries(rows: Rows) -> list[Entry]:
    return [_entry(*row) for row in rows]


def _entry(
    number: int,
    page: int,
    at: float,
    clicks: str | None,
    change: str | None,
    left_out: int,
    id_: int | None,
    items: str,
    memory: bytes,
    arm: Any,
    propensity: float | None,
    shown_at: float,
    expires_at: float,
    session: bytes,
    place: int,
    available: str | None,
    settings_entry: int,
    over_at: float | None,
) -> Entry:
    view = None
    if id_ is not None:
        view = View(
            id_,
            page,
            _items(items),
            bytes(memory),
            arm,
            propensity,
            shown_at,
            expires_at if over_at is None else over_at,
            bytes(session),
            place,
            None if available is None else _items(available),
            settings_entry=settings_entry,
        )
    return Entry(
        number,
        page,
        at,
        view,
        () if clicks is None else _positions(clicks),
        None if change is None else msgspec.json.decode(change),
        bool(left_out),
        None if over_at is None else expires_at,
    )
