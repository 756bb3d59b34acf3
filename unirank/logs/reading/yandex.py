"""The two logs that Yandex published: lines of pages and of clicks, told apart by a letter.

    yandex-search   session  time  Q  page   query  terms  url,domain ...   a page
                    session  time  T  page   query  terms  url,domain ...   its clicks kept back
                    session  time  C  page   url                            a click
                    session  M     day   user                               a session begins
    yandex-relpred  session  time  Q  query  region        url ...          a page
                    session  time  C  url                                   a click

A click belongs to a page of its session that shows its url: to the page it names, or, where it
names none, to the latest page that is not after it; of pages at the same time, to the one whose
query comes last as text. A url that stands twice on a page is clicked where it stands first.
"""

from typing import NamedTuple

from unirank.logs.reading.bad_lines import BEYOND, EMPTY, NOT_A_NUMBER, TOO_FEW, UNKNOWN
from unirank.logs.reading.relations import (
    LARGEST_PAGE,
    Column,
    Table,
    bit,
    first_true,
    ibis,
    item_columns,
    total,
)

DIGITS = 16  # of a time, so that times compare as text


class Layout(NamedTuple):
    """Where a format has what; numbers of fields from 0."""

    query: int
    first_item: int
    clicked: int
    page: int | None  # None: clicks follow pages by time
    with_domain: bool


SEARCH = Layout(query=4, first_item=6, clicked=4, page=3, with_domain=True)
RELPRED = Layout(query=3, first_item=5, clicked=3, page=None, with_domain=False)


def events(lines: Table, layout: Layout, width: int) -> Table:
    """Each line as a `page`, a `click` or `other`, or with what is `bad` about it.

    `page` names a page within its session, and sorts by time where clicks follow pages by time.
    """
    split = lines.mutate(fields=lines.line.split("\t"))
    fields = split.fields
    split = split.mutate(letter=fields[2], size=fields.length().cast("int64"))
    kind = ibis().cases(
        (split.letter == "Q", "page"), (split.letter == "C", "click"), else_="other"
    )
    shows = split.letter.isin(["Q", "T"])
    return split.select(
        "line",
        bad=_bad(split, layout),
        kind=kind,
        session=fields[0],
        page=_page(split, layout),
        query=ibis().ifelse(split.letter == "Q", fields[layout.query], None),
        url=ibis().ifelse(split.letter == "C", fields[layout.clicked], None),
        size=ibis().ifelse(shows, split.size - layout.first_item, 0),
        test=(split.letter == "T").fill_null(False),
        **{name: _item(fields, layout, k) for k, name in enumerate(item_columns(width))},
    )


def _bad(split: Table, layout: Layout) -> Column:
    begins = (split.fields[1] == "M").fill_null(False) if layout.page is not None else False
    shows, clicks = split.letter.isin(["Q", "T"]), split.letter == "C"
    short = (shows & (split.size <= layout.first_item)) | (clicks & (split.size <= layout.clicked))
    time = split.fields[1].try_cast("int64")
    return first_true(
        [
            (split.line.isnull() | (split.line == ""), EMPTY),
            (begins & (split.size >= 4), ibis().null("string")),
            (begins | (split.size < 3) | short, TOO_FEW),
            (~(shows | clicks), UNKNOWN),
            (shows & (split.size - layout.first_item > LARGEST_PAGE), BEYOND),
            (time.isnull() | (time < 0) | (time >= 10**DIGITS), NOT_A_NUMBER),
        ]
    )


def _page(split: Table, layout: Layout) -> Column:
    if layout.page is not None:
        return split.fields[layout.page]
    time = split.fields[1].try_cast("int64").cast("string").lpad(DIGITS, "0")
    # "~" sorts behind every digit: a click comes after all pages of its time.
    return time + ibis().ifelse(split.letter == "Q", split.fields[layout.query], "~")


def _item(fields: Column, layout: Layout, position: int) -> Column:
    field = fields[layout.first_item + position]
    return (field.split(",")[0] if layout.with_domain else field).nullif("")


def owners(pages: Table, clicks: Table, layout: Layout, width: int) -> Table:
    """Each different click with the page and the position it belongs to, null if there is none."""
    named = pages.select("session", shown_on="page", **{n: n for n in item_columns(width)})
    same = (
        clicks.page == named.shown_on if layout.page is not None else named.shown_on <= clicks.page
    )
    both = clicks.left_join(named, [clicks.session == named.session, same])
    at = ibis().cases(
        *((both.url == both[name], f"{k:02d}") for k, name in enumerate(item_columns(width))),
        else_=ibis().null("string"),
    )
    found = both.mutate(owner=both.shown_on + at)
    found = found.group_by("session", "page", "url").agg(owner=found.owner.max())
    return found.select(
        "session",
        "url",
        page=found.owner.substr(0, found.owner.length() - 2),
        position=found.owner.substr(found.owner.length() - 2, 2).cast("int64"),
    )


def masks(owned: Table) -> Table:
    """The clicks of each page as bits, by session and page."""
    different = owned.filter(owned.page.notnull()).select("session", "page", "position").distinct()
    return different.group_by("session", "page").agg(mask=total(bit(different.position)))
