"""Lines as events, and events joined: in Ibis, for any engine. Lines may stand in any order."""

from unirank.logs.reading.bad_lines import BEYOND, EMPTY, NOT_A_NUMBER, TOO_FEW, UNKNOWN
from unirank.logs.reading.relations import (
    LARGEST_PAGE,
    Column,
    Table,
    bit,
    either,
    first_true,
    ibis,
)
from unirank.logs.reading.yandex.layout import DIGITS, Layout

DIGITS_ONLY = rf"^[0-9]{{1,{DIGITS}}}$"
LAST = "\U0010ffff"


def events(lines: Table, layout: Layout) -> Table:
    """Each line with what is `bad` about it; a page has a `query`, a click has a `url`.

    `page` names a page within its session, and sorts by time where clicks follow pages by time.
    `shown` is the page as one text, a tab before and behind each item: one column is kept
    and compared faster than one for each item.
    """
    split = lines.mutate(fields=lines.line.split("\t"))
    fields = split.fields
    begins = (fields[1] == "M").fill_null(False) if layout.page >= 0 else ibis().literal(False)
    letter = ibis().ifelse(begins, None, fields[2])
    split = split.mutate(
        begins=begins,
        is_page=letter == "Q",
        is_test=(letter == "T").fill_null(False),
        is_click=letter == "C",
        time=ibis().ifelse(fields[1].re_search(DIGITS_ONLY), fields[1], None).cast("int64"),
        size=fields.length().cast("int64"),
    )
    return split.select(
        "line",
        bad=_bad(split, layout),
        session=fields[0],
        page=_page(split, layout),
        query=ibis().ifelse(split.is_page, fields[layout.query], None),
        url=ibis().ifelse(split.is_click, fields[layout.clicked], None),
        size=ibis().ifelse(split.is_page, split.size - layout.first_item, 0),
        shown=ibis().ifelse(split.is_page, _shown(split, layout), None),
        test=split.is_test,
    )


def _bad(split: Table, layout: Layout) -> Column:
    shows, clicks = split.is_page | split.is_test, split.is_click
    short = (shows & (split.size <= layout.first_item)) | (clicks & (split.size <= layout.clicked))
    return first_true(
        [
            (split.line.isnull() | (split.line == ""), EMPTY),
            (split.begins & (split.size >= 4), ibis().null("string")),
            (split.begins | (split.size < 3) | short, TOO_FEW),
            (~(shows | clicks), UNKNOWN),
            (shows & (split.size - layout.first_item > LARGEST_PAGE), BEYOND),
            (split.time.isnull(), NOT_A_NUMBER),
        ]
    )


def _page(split: Table, layout: Layout) -> Column:
    if layout.page >= 0:
        return split.fields[layout.page]
    time = split.time.cast("string")
    # Behind two digits that grow with its length, a number sorts as text; and no text sorts behind
    # LAST: a click comes after all pages of its time.
    length = (time.length() + 10).cast("string")
    return length + time + ibis().ifelse(split.is_page, split.fields[layout.query], LAST)


def _shown(split: Table, layout: Layout) -> Column:
    n_before = sum(split.fields[k].length() + 1 for k in range(layout.first_item)) - 1
    items = split.line.right(split.line.length() - n_before) + "\t"
    return items.re_replace(r",[^\t]*", "") if layout.with_domain else items


def owners(pages: Table, clicks: Table, layout: Layout) -> Table:
    """Each different click with the page and the position it belongs to, null if there is none."""
    named = pages.select("session", "shown", shown_on="page")
    same = clicks.page == named.shown_on if layout.page >= 0 else named.shown_on <= clicks.page
    both = clicks.left_join(named, [clicks.session == named.session, same])
    both = both.mutate(start=both.shown.find("\t" + both.url + "\t"))
    both = both.mutate(before=both.shown.left(both.start))
    # A position is the number of tabs before it. Page and position are one text, so that the
    # largest has both; an empty url is on no page.
    position = both.before.length() - both.before.replace("\t", "").length()
    both = both.mutate(position=ibis().ifelse((both.start >= 0) & (both.url != ""), position, None))
    found = both.mutate(owner=both.shown_on + (both.position + 10).cast("string"))
    found = found.group_by("session", "page", "url").agg(owner=found.owner.max())
    return found.select(
        "session",
        "url",
        page=found.owner.left(found.owner.length() - 2),
        position=found.owner.right(2).cast("int64") - 10,
    )


def masks(owned: Table) -> Table:
    """The clicks of each page as bits, by session and page."""
    found = owned.filter(owned.page.notnull())
    return found.group_by("session", "page").agg(mask=either(bit(found.position)))
