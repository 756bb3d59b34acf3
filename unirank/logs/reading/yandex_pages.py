"""Events of a Yandex log put together: each page with its clicks."""

from collections.abc import Sequence

from unirank.logs.reading.bad_lines import AGAIN, GAP, ORPHAN
from unirank.logs.reading.pages import Overview, PageTable
from unirank.logs.reading.relations import Engine, Table, first_true, ibis, item_columns, one_of
from unirank.logs.reading.yandex import Layout, events, masks, owners


class YandexLog:
    """A log of one line per page and one per click."""

    def __init__(self, engine: Engine, lines: Table, layout: Layout) -> None:
        self._engine, self._lines, self._layout = engine, lines, layout

    def rows(self) -> Table:
        found = events(self._lines, self._layout, width=0)
        return found.select("bad", "line")

    def overview(self) -> Table:
        """What there is, by kind of bad line and by query; one pass over the file."""
        found = events(self._lines, self._layout, width=0)
        good = found.bad.isnull()
        query = ibis().ifelse(good & (found.kind == "page"), found.query, None)
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
        found = events(self._lines, self._layout, width)
        found = found.filter(found.bad.isnull() & (found.kind != "other")).drop(
            "line", "bad", "test"
        )
        if queries is not None:
            wanted = found.filter((found.kind == "page") & one_of(found.query, queries))
            sessions = self._engine.keep(wanted.select("session").distinct())
            found = found.semi_join(sessions, "session")
        found = self._engine.keep(found)
        pages = found.filter(found.kind == "page")
        clicks = found.filter(found.kind == "click").select("session", "page", "url")
        owned = self._engine.keep(owners(pages, clicks, self._layout, width))
        clicked = pages.left_join(masks(owned), ["session", "page"], rname="{name}_of_mask")
        twice = self._logged_twice(pages)
        if twice is not None:
            clicked = clicked.left_join(twice, ["session", "page"], rname="{name}_of_copy")
        clicked = clicked.filter(one_of(clicked.query, queries))
        defects = [(_n_filled(clicked, width) != clicked.size, GAP)]
        if twice is not None:
            defects = [(clicked.copies.notnull(), AGAIN), *defects]
        orphans = owned.filter(owned.page.isnull())
        return PageTable(
            clicked.select(
                "session",
                "query",
                *item_columns(width),
                mask=clicked.mask.fill_null(0),
                defect=first_true(defects),
            ),
            {ORPHAN: orphans.select(line="session " + orphans.session + ", url " + orphans.url)},
        )

    def _logged_twice(self, pages: Table) -> Table | None:
        """Pages whose name is not theirs alone, None (a join saved) if there are none."""
        copies = pages.group_by("session", "page").agg(copies=pages.count())
        found = self._engine.keep(copies.filter(copies.copies > 1))
        n_found = self._engine.fetch(found.aggregate(n=found.count()))["n"][0].as_py()
        return found if n_found else None


def _n_filled(pages: Table, width: int) -> Table:
    return sum(pages[name].notnull().cast("int64") for name in item_columns(width))
