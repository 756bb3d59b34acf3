"""A Yandex log with its lines in any order, on any engine: clicks are joined to their pages."""

from collections.abc import Sequence

from unirank.logs.reading.bad_lines import AGAIN, GAP, ORPHAN
from unirank.logs.reading.pages import Overview, PageTable
from unirank.logs.reading.relations import Engine, Table, first_true, ibis, one_of
from unirank.logs.reading.yandex.joining import events, masks, owners
from unirank.logs.reading.yandex.layout import Layout


class ScatteredLog:
    """A log of one line per page and one per click."""

    def __init__(self, engine: Engine, lines: Table, layout: Layout, *, whole: bool) -> None:
        """`whole` says that all pages will be wanted: then the file is parsed only once."""
        self._engine, self._layout, self._whole = engine, layout, whole
        parsed = events(lines, layout)
        self._rows = parsed.select("bad", "line")
        self._events = parsed.drop("line")
        if whole:
            self._events = engine.keep(self._events)

    def rows(self) -> Table:
        return self._rows

    def overview(self) -> Table:
        """What there is, by kind of bad line and by query; one pass over the file."""
        found = self._events
        good = found.bad.isnull()
        query = ibis().ifelse(good, found.query, None)
        return Overview.of(
            found,
            bad=found.bad,
            query=query,
            pages=query.notnull(),
            width=ibis().ifelse(query.notnull(), found.size, 0),
            test=good & found.test,
        )

    def pages(self, queries: Sequence[str] | None, width: int) -> PageTable:
        """Pages of the queries with their clicks, by pages of any query in the same sessions."""
        found = self._events
        found = found.filter(found.bad.isnull() & (found.query.notnull() | found.url.notnull()))
        if queries is not None:
            wanted = found.filter(one_of(found.query, queries))
            sessions = self._engine.keep(wanted.select("session").distinct())
            found = found.semi_join(sessions, "session")
        if not self._whole:
            found = self._engine.keep(found.drop("bad", "test"))
        pages = found.filter(found.query.notnull())
        clicks = found.filter(found.url.notnull()).select("session", "page", "url")
        owned = self._engine.keep(owners(pages, clicks, self._layout))
        clicked = pages.left_join(masks(owned), ["session", "page"], rname="{name}_of_mask")
        twice = self._logged_twice(pages)
        if twice is not None:
            clicked = clicked.left_join(twice, ["session", "page"], rname="{name}_of_copy")
        clicked = clicked.filter(one_of(clicked.query, queries))
        defects = [(clicked.shown.contains("\t\t"), GAP)]
        if twice is not None:
            defects = [(clicked.copies.notnull(), AGAIN), *defects]
        orphans = owned.filter(owned.page.isnull())
        return PageTable(
            clicked.select(
                "session",
                "query",
                "shown",
                mask=clicked.mask.fill_null(0),
                defect=first_true(defects),
                sessions=ibis().literal(1, "int64"),
            ),
            {ORPHAN: orphans.select(line="session " + orphans.session + ", url " + orphans.url)},
        )

    def _logged_twice(self, pages: Table) -> Table | None:
        """Pages whose name is not theirs alone, None (a join saved) if there are none."""
        copies = pages.group_by("session", "page").agg(copies=pages.count())
        found = self._engine.keep(copies.filter(copies.copies > 1))
        n_found = self._engine.fetch(found.aggregate(n=found.count()))["n"][0].as_py()
        return found if n_found else None
