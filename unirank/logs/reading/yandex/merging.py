"""Lines put together become rows, compiled: equal pages with equal clicks are one row.

A row stands for the first of its lines, and for their number. Pages with a defect and clicks
without a page have a row each, for they are shown to the user.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import compiled
from unirank.logs.reading.yandex.clicks import item_span
from unirank.logs.reading.yandex.layout import Layout
from unirank.logs.reading.yandex.lines import PAGE, Lines
from unirank.logs.reading.yandex.sessions import Found
from unirank.logs.reading.yandex.text import (
    FNV_PRIME,
    FNV_START,
    TAB,
    Bytes,
    Text,
    hashed,
    same,
    same_field,
    span,
)

# Of a hash table that stays in the processor's cache. What it does not hold is not merged here;
# the engine merges rows of several blocks anyway.
N_BUCKETS = 1 << 15
MOST_LOOKS = 32  # into it for one page: whoever chooses the texts may choose their hashes
NOWHERE = -1


class Rows(NamedTuple):
    """The line that a row stands for, and how many there are like it."""

    line: NDArray[np.int64]
    sessions: NDArray[np.int64]


def merged(text: Text, layout: Layout, lines: Lines, found: Found, *, by_session: bool) -> Rows:
    """All rows; `by_session` says that pages of two sessions differ."""
    n_lines = lines.kind.size
    rows = Rows(np.empty(n_lines, np.int64), np.empty(n_lines, np.int64))
    table = np.full(N_BUCKETS, -1)
    n_rows = merge(text, layout, lines, found, by_session, table, rows)
    return Rows(rows.line[:n_rows].copy(), rows.sessions[:n_rows].copy())  # these are kept


@compiled
def merge(
    text: Text,
    layout: Layout,
    lines: Lines,
    found: Found,
    by_session: bool,
    table: NDArray[np.int64],  # (N_BUCKETS,) scratch, all -1
    rows: Rows,  # out
) -> int:
    n_rows, n_known = 0, 0
    for line in range(lines.kind.size):
        if found.dropped[line] or (lines.kind[line] != PAGE and found.defect[line] == 0):
            continue
        if found.defect[line] == 0 and not by_session:
            bucket = bucket_of(text, layout, lines, line, found, table, rows)
            if bucket != NOWHERE and table[bucket] >= 0:
                rows.sessions[table[bucket]] += 1
                continue
            if bucket != NOWHERE and n_known < N_BUCKETS // 2:
                table[bucket] = n_rows
                n_known += 1
        rows.line[n_rows], rows.sessions[n_rows] = line, 1
        n_rows += 1
    return n_rows


@compiled
def bucket_of(
    text: Text,
    layout: Layout,
    lines: Lines,
    page: int,
    found: Found,
    table: NDArray[np.int64],
    rows: Rows,
) -> int:
    """Where the hash table has a page like this one, else a free place, else NOWHERE."""
    start, end = span(text, lines.first[page] + layout.query)
    code = hashed(text.text, start, end, FNV_START ^ np.uint64(found.mask[page])) * FNV_PRIME
    start, end = all_items(text, layout, lines, page)
    code = hashed(text.text, start, end, code)
    bucket = np.int64((code ^ (code >> np.uint64(32))) & np.uint64(N_BUCKETS - 1))
    for look in range(MOST_LOOKS):
        place = (bucket + look) & (N_BUCKETS - 1)
        if table[place] < 0 or same_clicked_page(
            text, layout, lines, page, rows.line[table[place]], found
        ):
            return place  # type: ignore[return-value]
    return NOWHERE


@compiled
def same_clicked_page(
    text: Text, layout: Layout, lines: Lines, page: int, other: int, found: Found
) -> bool:
    """Whether query, items and clicks are the same."""
    (start, end), (other_start, other_end) = (
        all_items(text, layout, lines, page),
        all_items(text, layout, lines, other),
    )
    return (
        found.mask[page] == found.mask[other]
        and same(text.text, start, end, other_start, other_end)
        and same_field(text, lines.first[page] + layout.query, lines.first[other] + layout.query)
    )


@compiled
def all_items(text: Text, layout: Layout, lines: Lines, page: int) -> tuple[int, int]:
    """Where the items of a page begin and end."""
    start, _ = span(text, lines.first[page] + layout.first_item)
    _, end = span(text, lines.first[page] + lines.n_fields[page] - 1)
    return start, end


@compiled
def copy_fields(
    text: Text,
    fields: NDArray[np.int64],  # (n_rows,)
    offsets: NDArray[np.int32],  # (n_rows + 1,) out
    copy: Bytes,  # out
) -> None:
    """Put fields one behind the other, as Arrow has them."""
    size = 0
    for row in range(fields.size):
        offsets[row] = size
        start, end = span(text, fields[row])
        size = append(text.text, start, end, copy, size)
    offsets[fields.size] = size


@compiled
def copy_items(
    text: Text,
    layout: Layout,
    lines: Lines,
    pages: NDArray[np.int64],  # (n_rows,) lines; of those that are no pages nothing is copied
    offsets: NDArray[np.int32],
    copy: Bytes,
) -> None:
    """The same for the items of pages, without domains, a tab before and behind each."""
    size = 0
    for row in range(pages.size):
        offsets[row] = size
        page = pages[row]
        if lines.kind[page] == PAGE:
            for field in range(layout.first_item, lines.n_fields[page]):
                copy[size] = TAB
                start, end = item_span(text, layout, lines.first[page] + field)
                size = append(text.text, start, end, copy, size + 1)
            copy[size] = TAB
            size += 1
    offsets[pages.size] = size


@compiled
def append(text: Bytes, start: int, end: int, copy: Bytes, size: int) -> int:
    for place in range(start, end):
        copy[size + place - start] = text[place]
    return size + end - start
