"""Where a line of a Yandex log has what.

yandex-search   session  time  Q  page   query  terms  url,domain ...   a page
                session  time  T  page   query  terms  url,domain ...   its clicks kept back
                session  time  C  page   url                            a click
                session  M     day   user                               a session begins
yandex-relpred  session  time  Q  query  region        url ...          a page
                session  time  C  url                                   a click
"""

from typing import NamedTuple

DIGITS = 16  # of a time at most


class Layout(NamedTuple):
    """Numbers of fields, from 0."""

    query: int
    first_item: int
    clicked: int
    page: int  # -1: clicks name no page, they follow pages by time
    with_domain: bool


SEARCH = Layout(query=4, first_item=6, clicked=4, page=3, with_domain=True)
RELPRED = Layout(query=3, first_item=5, clicked=3, page=-1, with_domain=False)
LAYOUTS = {"yandex-search": SEARCH, "yandex-relpred": RELPRED}
