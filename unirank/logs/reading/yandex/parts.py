"""One block of a log taken apart: an Arrow table of its pages, and what else it held."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.extras import optional
from unirank.logs.reading.bad_lines import N_EXAMPLES
from unirank.logs.reading.sources import not_text
from unirank.logs.reading.yandex.cutting import TooLongError
from unirank.logs.reading.yandex.layout import Layout
from unirank.logs.reading.yandex.lines import BAD_KINDS, PAGE, TEST, Lines, empty_lines, find_lines
from unirank.logs.reading.yandex.merging import Rows, copy_fields, copy_items, merged
from unirank.logs.reading.yandex.sessions import (
    DEFECTS,
    TOO_LONG,
    Found,
    match_sessions,
    nothing_found,
)
from unirank.logs.reading.yandex.text import FNV_START, NEWLINE, Bytes, Text, hashed, text_of


class Part(NamedTuple):
    """What one block gave.

    `pages` has the columns session, query, shown, width, mask, defect, and sessions: how many had
    that page. A click without a page is a row as well, with its url and without a query.
    """

    pages: Any
    sessions: NDArray[np.uint64]  # a code of each one's name
    n_lines: int
    n_tests: int
    bad: dict[str, int]
    examples: dict[str, list[str]]


def taken_apart(
    file: Path, block: bytes, layout: Layout, wanted: NDArray[np.uint64], by_session: bool
) -> Part:
    """The pages of a block with their clicks; `by_session` keeps those of each session apart.

    `wanted` is the `hashes` of queries: pages of others are left out, and clicks without a page in
    sessions that have none of these. Without any, all pages are wanted.
    """
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError:
            raise not_text(file) from None
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    text = text_of(block)
    n_lines = int(np.count_nonzero(text.text == NEWLINE))
    lines, found = empty_lines(n_lines), nothing_found(n_lines)
    find_lines(text, layout, lines)
    n_sessions = match_sessions(text, layout, lines, wanted, found)
    if n_sessions == TOO_LONG:
        raise TooLongError
    rows = merged(text, layout, lines, found, by_session=by_session)
    return Part(
        page_table(text, layout, lines, found, rows),
        found.sessions[:n_sessions].copy(),
        n_lines,
        int(np.count_nonzero(lines.kind == TEST)),
        *bad_lines(block, text, lines),
    )


def hashes(names: Sequence[str]) -> NDArray[np.uint64]:
    """In increasing order."""
    # With the end of a line behind it, for a buffer may not be empty.
    texts = [np.frombuffer(name.encode() + b"\n", np.uint8) for name in names]
    codes = [hashed(text, 0, text.size - 1, FNV_START) for text in texts]
    return np.sort(np.array(codes, np.uint64))


def page_table(text: Text, layout: Layout, lines: Lines, found: Found, rows: Rows) -> Any:
    """The rows as an Arrow table."""
    arrow = optional("pyarrow", "logs")
    is_page, first = lines.kind[rows.line] == PAGE, lines.first[rows.line]
    named = fields(text, first + np.where(is_page, layout.query, layout.clicked))
    sizes = text.stops[first + lines.n_fields[rows.line]] - text.stops[first]
    shown = space(rows.line.size, int(sizes.sum()))
    copy_items(text, layout, lines, rows.line, *shown)
    defects = arrow.DictionaryArray.from_arrays(found.defect[rows.line], arrow.array(DEFECTS))
    width = np.where(is_page, lines.n_fields[rows.line] - layout.first_item, 0)
    return arrow.table(
        {
            "session": text_column(*fields(text, first)),
            "query": text_column(*named, there=is_page),
            "url": text_column(*named, there=~is_page),
            "shown": text_column(*shown),
            "width": width,
            "mask": found.mask[rows.line],
            "defect": defects.cast(arrow.string()),
            "sessions": rows.sessions,
        }
    )


def fields(text: Text, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int32], Bytes]:
    """Copies of fields: where each begins, and their bytes."""
    sizes = text.stops[numbers + 1] - text.stops[numbers]
    offsets, copy = space(numbers.size, int(sizes.sum()))
    copy_fields(text, numbers, offsets, copy)
    return offsets, copy


def space(n_rows: int, n_bytes: int) -> tuple[NDArray[np.int32], Bytes]:
    return np.empty(n_rows + 1, np.int32), np.empty(n_bytes, np.uint8)


def text_column(
    offsets: NDArray[np.int32], copy: Bytes, there: NDArray[np.bool_] | None = None
) -> Any:
    """An Arrow column of texts, null where they are not `there`."""
    arrow = optional("pyarrow", "logs")
    bits = None if there is None else arrow.py_buffer(np.packbits(there, bitorder="little"))
    buffers = arrow.py_buffer(offsets), arrow.py_buffer(copy)
    return arrow.StringArray.from_buffers(offsets.size - 1, *buffers, bits)


def bad_lines(
    block: bytes, text: Text, lines: Lines
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """How many lines of each kind are bad, and the first of them."""
    counts, examples = {}, {}
    for code, kind in enumerate(BAD_KINDS):
        those = np.flatnonzero(lines.kind == code)
        if those.size:
            counts[kind] = those.size
            starts = text.stops[lines.first[those[:N_EXAMPLES]]] + 1
            ends = text.stops[lines.first[those] + lines.n_fields[those]]
            examples[kind] = [
                block[start:end].decode()
                for start, end in zip(starts, ends[:N_EXAMPLES], strict=True)
            ]
    return counts, examples
