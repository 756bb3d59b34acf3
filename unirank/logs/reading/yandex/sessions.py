"""Session by session, compiled: clicks are given to their pages, and what fits no page is noted."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.logs.reading.bad_lines import AGAIN, GAP, ORPHAN
from unirank.logs.reading.yandex.clicks import item_span, may_own, owner
from unirank.logs.reading.yandex.layout import Layout
from unirank.logs.reading.yandex.lines import CLICK, N_BAD_KINDS, PAGE, Lines, number
from unirank.logs.reading.yandex.text import FNV_START, Text, hashed, same_field, span

DEFECTS = (None, AGAIN, GAP, ORPHAN)
_NONE, _AGAIN, _GAP, _ORPHAN = range(len(DEFECTS))
LONGEST = 1000  # lines of a session: every click looks at every page, so no more than this
TOO_LONG = -1


class Found(NamedTuple):
    """By line: the clicks of a page as bits, and what is wrong with a page or a click."""

    mask: NDArray[np.int64]
    defect: NDArray[np.uint8]  # place among DEFECTS
    dropped: NDArray[np.bool_]  # whether it is of no interest
    sessions: NDArray[np.uint64]  # a code of each session's name, as many as there are sessions


def nothing_found(n_lines: int) -> Found:
    return Found(
        np.zeros(n_lines, np.int64),
        np.zeros(n_lines, np.uint8),
        np.zeros(n_lines, np.bool_),
        np.empty(n_lines, np.uint64),
    )


@compiled
def match_sessions(
    text: Text,
    layout: Layout,
    lines: Lines,
    wanted: NDArray[np.uint64],  # hashes of queries in increasing order; none: all are wanted
    found: Found,
) -> int:
    """Match the clicks of each session, which is a run of lines; the number of sessions.

    A bad line does not end a session. A session of too many lines ends everything: TOO_LONG.
    """
    n_sessions, n_lines = 0, lines.kind.size
    first = n_lines  # of the present session: none yet
    for line in range(n_lines + 1):
        if line < n_lines and lines.kind[line] < N_BAD_KINDS:
            continue
        if first < n_lines:
            if line < n_lines and same_field(text, lines.first[first], lines.first[line]):
                continue
            if line - first > LONGEST:
                return TOO_LONG
            match_session(text, layout, lines, first, line, found)
            if wanted.size:
                drop_unwanted(text, layout, lines, first, line, wanted, found)
            found.sessions[n_sessions] = code_of(text, lines.first[first])
            n_sessions += 1
        first = line
    return n_sessions


@compiled
def code_of(text: Text, name: int) -> np.uint64:
    """A number is its own code, so that those in increasing order are seen to differ."""
    value = number(text, name)
    if value >= 0:
        return np.uint64(value)
    start, end = span(text, name)
    return hashed(text.text, start, end, FNV_START)


@compiled
def match_session(
    text: Text, layout: Layout, lines: Lines, first: int, behind: int, found: Found
) -> None:
    for line in range(first, behind):
        if lines.kind[line] == PAGE:
            inspect_page(text, layout, lines, first, line, found)
    for line in range(first, behind):
        if lines.kind[line] == CLICK:
            page, position = owner(text, layout, lines, first, behind, line)
            if position >= 0:
                found.mask[page] |= 1 << position
            elif not said_before(text, layout, lines, first, line, found):
                found.defect[line] = _ORPHAN


@compiled
def inspect_page(
    text: Text, layout: Layout, lines: Lines, first: int, page: int, found: Found
) -> None:
    """Note a gap, or an earlier page of the same name, which makes both of them defective."""
    for field in range(layout.first_item, lines.n_fields[page]):
        start, end = item_span(text, layout, lines.first[page] + field)
        if start == end:
            found.defect[page] = _GAP
    for other in range(first, page):
        if lines.kind[other] == PAGE and same_page(text, layout, lines, other, page):
            found.defect[other] = found.defect[page] = _AGAIN


@compiled
def same_page(text: Text, layout: Layout, lines: Lines, page: int, other: int) -> bool:
    """Whether two pages of a session have the same name; by time, it is its time and query."""
    if layout.page >= 0:
        return same_field(text, lines.first[page] + layout.page, lines.first[other] + layout.page)
    return lines.time[page] == lines.time[other] and same_field(
        text, lines.first[page] + layout.query, lines.first[other] + layout.query
    )


@compiled
def said_before(
    text: Text, layout: Layout, lines: Lines, first: int, click: int, found: Found
) -> bool:
    """Whether a click without a page repeats one: the same url, of the same page or time."""
    url = lines.first[click] + layout.clicked
    for line in range(first, click):
        if found.defect[line] == _ORPHAN and same_field(
            text, lines.first[line] + layout.clicked, url
        ):
            if layout.page < 0 and lines.time[line] == lines.time[click]:
                return True
            if layout.page >= 0 and may_own(text, layout, lines, line, click):
                return True
    return False


@compiled
def drop_unwanted(
    text: Text,
    layout: Layout,
    lines: Lines,
    first: int,
    behind: int,
    wanted: NDArray[np.uint64],
    found: Found,
) -> None:
    """Take out pages of other queries; where no page is left, clicks without a page too."""
    n_left = 0
    for line in range(first, behind):
        if lines.kind[line] == PAGE:
            start, end = span(text, lines.first[line] + layout.query)
            code = hashed(text.text, start, end, FNV_START)
            place = np.searchsorted(wanted, code)
            if place < wanted.size and wanted[place] == code:
                n_left += 1
            else:
                found.dropped[line] = True
    for line in range(first, behind):
        if n_left == 0 and found.defect[line] == _ORPHAN:
            found.dropped[line] = True
