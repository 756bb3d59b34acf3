"""The two click logs that Yandex published, one line per page and one per click, in any order.

yandex-search   session  time  Q  page   query  terms  url,domain ...   a page
                session  time  T  page   query  terms  url,domain ...   a page of the test period
                session  time  C  page   url                            a click
                session  M     day   user                               the start of a session
yandex-relpred  session  time  Q  query  region        url ...          a page
                session  time  C  url                                   a click

A click belongs to a page of its session that shows its url. In yandex-search a click names its
page. In yandex-relpred it belongs to the latest such page that is not after it; of pages at the
same time, to the one whose query is last in text order. A url that occurs twice on a page is
clicked where it occurs first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from unirank.logs.reading.backends import Backend
from unirank.logs.reading.bad_kinds import (
    AGAIN,
    BEYOND,
    GAP,
    NOT_A_NUMBER,
    ORPHAN,
    TOO_FEW,
    UNKNOWN,
)
from unirank.logs.reading.expressions import (
    LARGEST_PAGE,
    Column,
    Table,
    bit,
    either,
    first_true,
    ibis,
    one_of,
)
from unirank.logs.reading.page_patterns import PageTable, overview

TIME = "^[0-9]{1,16}$"
KEY = ("session", "time", "page")  # of a page


class Layout(NamedTuple):
    """The numbers of the fields of a line, from 0."""

    query: int
    first_item: int
    clicked: int
    page: int | None  # None: clicks do not name their page
    with_domain: bool


LAYOUTS = {
    "yandex-search": Layout(query=4, first_item=6, clicked=4, page=3, with_domain=True),
    "yandex-relpred": Layout(query=3, first_item=5, clicked=3, page=None, with_domain=False),
}


class YandexLog:
    """A log of one line per page and one per click."""

    def __init__(self, backend: Backend, lines: Table, layout: Layout, *, whole: bool) -> None:
        """`whole` says that all pages will be read: then the file is parsed only once."""
        self._backend, self._layout, self._whole = backend, layout, whole
        parsed = events(lines, layout)
        self._rows = parsed.select("bad", "line")
        self._events = parsed.drop("line")
        if whole:
            self._events = backend.keep(self._events)

    def rows(self) -> Table:
        return self._rows

    def overview(self) -> Table:
        """Count lines by kind of bad line and pages by query, in one pass over the file."""
        found = self._events
        good = found.bad.isnull()
        query = ibis().ifelse(good, found.query, None)
        return overview(
            found,
            bad=found.bad,
            query=query,
            pages=query.notnull(),
            width=ibis().ifelse(query.notnull(), found.size, 0),
            test=good & found.test,
        )

    def pages(self, queries: Sequence[str] | None, width: int) -> PageTable:
        """The pages of the queries with their clicks, and the clicks that belong to no page."""
        found = self._events
        found = found.filter(found.bad.isnull() & (found.query.notnull() | found.url.notnull()))
        if queries is not None:
            wanted = found.filter(one_of(found.query, queries))
            sessions = self._backend.keep(wanted.select("session").distinct())
            found = found.semi_join(sessions, "session")
        if not self._whole:
            found = self._backend.keep(found.drop("bad", "test"))
        shown, clicks = found.filter(found.query.notnull()), found.filter(found.url.notnull())
        owned = self._backend.keep(owners(shown, clicks, self._layout))
        pages = shown.left_join(masks(owned), KEY, rname="{name}_of_mask")
        copies = shown.group_by(*KEY).agg(copies=shown.count())
        copies = self._backend.keep(copies.filter(copies.copies > 1))
        pages = pages.left_join(copies, KEY, rname="{name}_of_copy")
        pages = pages.filter(one_of(pages.query, queries))
        gap = ("\t" + pages.shown + "\t").contains("\t\t")
        orphans = owned.filter(owned.page.isnull())
        return PageTable(
            pages.select(
                "session",
                "query",
                "shown",
                mask=pages.mask.fill_null(0),
                defect=first_true([(pages.copies.notnull(), AGAIN), (gap, GAP)]),
            ),
            {ORPHAN: orphans.select(line="session " + orphans.session + ", url " + orphans.url)},
        )


def events(lines: Table, layout: Layout) -> Table:
    """Parse each line: `bad` says what is wrong with it; a page has a `query`, a click a `url`.

    `time` and `page` identify a page within its session. `shown` holds the items of a page in one
    text, with tabs between: DuckDB stores and compares that faster than a column per item.
    """
    split = lines.mutate(fields=lines.line.split("\t"))
    fields = split.fields
    begins = (fields[1] == "M").fill_null(False) & (layout.page is not None)
    letter = ibis().ifelse(begins, None, fields[2])
    split = split.mutate(
        begins=begins,
        is_page=(letter == "Q").fill_null(False),
        is_test=(letter == "T").fill_null(False),
        is_click=(letter == "C").fill_null(False),
        time=ibis().ifelse(fields[1].re_search(TIME), fields[1], None).cast("int64"),
        size=fields.length().cast("int64"),
    )
    query = ibis().ifelse(split.is_page, fields[layout.query], None)
    return split.select(
        "line",
        bad=_bad(split, layout),
        session=fields[0],
        time=split.time if layout.page is None else ibis().literal(0, "int64"),
        page=query if layout.page is None else fields[layout.page],
        query=query,
        url=ibis().ifelse(split.is_click, fields[layout.clicked], None),
        size=split.size - layout.first_item,
        shown=ibis().ifelse(split.is_page, _shown(split, layout), None),
        test=split.is_test,
    )


def _bad(split: Table, layout: Layout) -> Column:
    shows = split.is_page | split.is_test
    n_needed = ibis().ifelse(split.is_click, layout.clicked, layout.first_item)
    short = (shows | split.is_click) & (split.size <= n_needed)
    return first_true(
        [
            (split.begins & (split.size >= 4), ibis().null("string")),
            (split.begins | (split.size < 3) | short, TOO_FEW),
            (~(shows | split.is_click), UNKNOWN),
            (shows & (split.size - layout.first_item > LARGEST_PAGE), BEYOND),
            (split.time.isnull(), NOT_A_NUMBER),
        ]
    )


def _shown(split: Table, layout: Layout) -> Column:
    n_before = sum(split.fields[k].length() + 1 for k in range(layout.first_item))
    items = split.line.right(split.line.length() - n_before)
    return items.re_replace(r",[^\t]*", "") if layout.with_domain else items


def owners(pages: Table, clicks: Table, layout: Layout) -> Table:
    """Each different click with the page and the position it belongs to, null if there is none."""
    clicks = clicks.select("session", "url", click_time="time", click_page="page")
    pages = pages.select("session", "shown", "time", "page")
    if layout.page is None:
        may_own = pages.time <= clicks.click_time
    else:
        may_own = pages.page == clicks.click_page
    both = clicks.left_join(pages, [clicks.session == pages.session, may_own])
    both = both.mutate(position=both.shown.split("\t").index(both.url))
    shows = (both.position >= 0) & (both.url != "")
    owner = ibis().struct({name: both[name] for name in ("time", "page", "position")})
    found = both.mutate(owner=ibis().ifelse(shows, owner, None))
    found = found.group_by("session", "click_time", "click_page", "url").agg(
        owner=found.owner.max()
    )
    return found.select(
        "session", "url", **{name: found.owner[name] for name in ("time", "page", "position")}
    )


def masks(owned: Table) -> Table:
    """The clicks of each page as bits, by session, time and page."""
    found = owned.filter(owned.page.notnull())
    return found.group_by(*KEY).agg(mask=either(bit(found.position)))
