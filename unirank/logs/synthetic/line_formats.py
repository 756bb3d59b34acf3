"""Sessions as lines of text, in the formats of the public click logs.

A line is the number of its session and one of a limited number of texts, before or behind it: there
are few pages, and so few lines that differ in more than the session. A format is the list of these
texts, and for each block of sessions the rows of that list in the order of the file.

    yandex-search   personalised web search challenge: SessionID, M, Day, UserID
                    SessionID, TimePassed, Q, SERPID, QueryID, terms, URLID,DomainID ...
                    SessionID, TimePassed, C, SERPID, URLID
    yandex-relpred  relevance prediction challenge:
                    SessionID, TimePassed, Q, QueryID, RegionID, URLID ...
                    SessionID, TimePassed, C, URLID
    kdd             KDD Cup 2012 track 2, training.txt: Click, Impression, DisplayURL, AdID,
                    AdvertiserID, Depth, Position, QueryID, KeywordID, TitleID, DescriptionID,
                    UserID; one line per ad shown, so Impression is 1, and each session is a user
    sessions        CSV: session, query, position, item, click

What a format asks for and a click model does not know, such as days, is made up.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unirank.logs.synthetic.drawing import Sessions
from unirank.logs.synthetic.pages import Pages

N_USERS = 1000  # of yandex-search
N_DAYS = 27
N_DOMAINS = 100
SECONDS = 10  # from one position to the next

Rows = tuple[NDArray[np.int64], NDArray[np.int64]]  # of each line: session in the block, text


@dataclass(frozen=True)
class LineFormat:
    """A way to write sessions as lines."""

    texts: Callable[[Pages], Iterator[str]]
    rows: Callable[[Pages, Sessions], Rows]
    session_first: bool
    separator: str
    n_fields: int  # of its shortest line
    header: str = ""


def cells(pages: Pages) -> Iterator[tuple[str, str, int, int]]:
    """Query, item, position from 0 and length of the page, for each position of each page."""
    width = pages.width
    for page, length in enumerate(pages.length.tolist()):
        query = pages.queries[pages.query[page]]
        for position in range(width):  # beyond the end of a page stands a text that is not used
            item = pages.items[pages.shown[page, position]]
            yield query, item, position, length


def shown_rows(pages: Pages, block: Sessions) -> Rows:
    """One line per item shown; its text is that of its cell, without or with a click."""
    width = pages.width
    there = np.arange(width) < pages.length[block.page][:, None]
    session, position = np.nonzero(there)
    cell = block.page[session] * width + position
    return session, 2 * cell + block.clicks[session, position]


def kdd_texts(pages: Pages) -> Iterator[str]:
    for query, item, position, length in cells(pages):
        for click in (0, 1):
            ad = f"{click}\t1\t{item}\t{item}\t{item}\t{length}\t{position + 1}"
            yield f"{ad}\t{query}\t{query}\t{item}\t{item}\t"


def sessions_texts(pages: Pages) -> Iterator[str]:
    for query, item, position, _ in cells(pages):
        for click in (0, 1):
            yield f",{query},{position + 1},{item},{click}"


def search_texts(pages: Pages) -> Iterator[str]:
    """The users, then the pages, then the clicks by cell."""
    for user in range(N_USERS):
        yield f"\tM\t{1 + user % N_DAYS}\t{user}"
    for query, shown, number in page_items(pages):
        urls = "\t".join(f"{pages.items[item]},{item % N_DOMAINS}" for item in shown)
        yield f"\t0\tQ\t0\t{query}\t{number},{number + 1}\t{urls}"
    for _, item, position, _ in cells(pages):
        yield f"\t{SECONDS * (position + 1)}\tC\t0\t{item}"


def relpred_texts(pages: Pages) -> Iterator[str]:
    """The pages, then the clicks by cell."""
    for query, shown, _ in page_items(pages):
        urls = "\t".join(pages.items[item] for item in shown)
        yield f"\t0\tQ\t{query}\t0\t{urls}"
    for _, item, position, _ in cells(pages):
        yield f"\t{SECONDS * (position + 1)}\tC\t{item}"


def page_items(pages: Pages) -> Iterator[tuple[str, list[int], int]]:
    """Id of the query, items and number of the query, of each page."""
    for page, length in enumerate(pages.length.tolist()):
        number = int(pages.query[page])
        yield pages.queries[number], pages.shown[page, :length].tolist(), number


def search_rows(pages: Pages, block: Sessions) -> Rows:
    user = (block.first + np.arange(block.page.size)) % N_USERS
    return in_sessions([user, N_USERS + block.page], N_USERS + len(pages.query), pages, block)


def relpred_rows(pages: Pages, block: Sessions) -> Rows:
    return in_sessions([block.page], len(pages.query), pages, block)


def in_sessions(
    opening: list[NDArray[np.int64]], start: int, pages: Pages, block: Sessions
) -> Rows:
    """The opening lines of each session, then its clicks; their texts begin at `start`."""
    width = pages.width
    n = block.page.size
    session, position = np.nonzero(block.clicks)
    texts = [*opening, start + block.page[session] * width + position]
    sessions = np.concatenate([*(np.arange(n) for _ in opening), session])
    order = np.argsort(sessions, kind="stable")  # of equal ones: opening, then clicks downwards
    return sessions[order], np.concatenate(texts)[order]


LINE_FORMATS = {
    "yandex-search": LineFormat(search_texts, search_rows, True, "\t", 4),
    "yandex-relpred": LineFormat(relpred_texts, relpred_rows, True, "\t", 4),
    "kdd": LineFormat(kdd_texts, shown_rows, False, "\t", 12),
    "sessions": LineFormat(
        sessions_texts, shown_rows, True, ",", 5, "session,query,position,item,click"
    ),
}
