"""Sessions as Arrow columns: lines of text with their ends, tables of what was shown, counts."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from unirank.extras import optional
from unirank.logs.synthetic.drawing import Sessions, SyntheticLog
from unirank.logs.synthetic.line_formats import LineFormat, shown_rows

COUNTS = ("query", "item", "position", "impressions", "clicks")


def session_lines(
    log: SyntheticLog, line_format: LineFormat, blocks: Iterable[Sessions]
) -> Iterator[Any]:
    """One array of lines per block, each line with its newline."""
    arrow, compute = optional("pyarrow", "logs"), optional("pyarrow.compute", "logs")
    first = line_format.session_first
    ends = ("", "\n") if first else ("\n", "")
    tails = (f"{text}{ends[1]}".encode() for text in line_format.texts(log.pages))
    texts = arrow.array(tails, arrow.binary())
    nothing, end = (arrow.scalar(text.encode(), arrow.binary()) for text in ("", ends[0]))
    for block in blocks:
        numbers = arrow.array(np.arange(block.first, block.first + block.page.size))
        sessions = numbers.cast(arrow.string()).cast(arrow.binary())
        sessions = compute.binary_join_element_wise(sessions, end, nothing)
        session, text = line_format.rows(log.pages, block)
        parts = sessions.take(arrow.array(session)), texts.take(arrow.array(text))
        yield compute.binary_join_element_wise(*(parts if first else parts[::-1]), nothing)


def session_tables(log: SyntheticLog, blocks: Iterable[Sessions]) -> Iterator[Any]:
    """One table per block: session, query, position from 1, item, click."""
    arrow = optional("pyarrow", "logs")
    queries, items = arrow.array(log.pages.queries), arrow.array(log.pages.items)
    for block in blocks:
        session, text = shown_rows(log.pages, block)
        page = block.page[session]
        position = text // 2 % log.pages.width
        yield arrow.table(
            {
                "session": block.first + session,
                "query": queries.take(arrow.array(log.pages.query[page])),
                "position": position + 1,
                "item": items.take(arrow.array(log.pages.shown[page, position])),
                "click": text % 2,
            }
        )


def counts_table(log: SyntheticLog, blocks: Iterable[Sessions]) -> Any:
    """Impressions and clicks by query, item and position from 1; what was never shown is not there.

    Items have different numbers in different queries, so item and position say the query too.
    """
    arrow = optional("pyarrow", "logs")
    pages = log.pages
    width = pages.width
    shown = np.zeros(len(pages.items) * width, np.int64)
    clicked = np.zeros_like(shown)
    for block in blocks:
        session, text = shown_rows(pages, block)
        position = text // 2 % width
        cell = pages.shown[block.page[session], position] * width + position
        shown += np.bincount(cell, minlength=shown.size)
        clicked += np.bincount(cell[text % 2 == 1], minlength=shown.size)
    cell = np.flatnonzero(shown)
    owner = np.repeat(np.arange(len(log.items)), [len(ids) for ids in log.items.values()])
    columns = (
        arrow.array(pages.queries).take(arrow.array(owner[cell // width])),
        arrow.array(pages.items).take(arrow.array(cell // width)),
        cell % width + 1,
        shown[cell],
        clicked[cell],
    )
    return arrow.table(dict(zip(COUNTS, columns, strict=True)))


def table_lines(table: Any) -> Any:
    """The rows of a table as lines, with commas between."""
    arrow, compute = optional("pyarrow", "logs"), optional("pyarrow.compute", "logs")
    texts = [column.combine_chunks().cast(arrow.string()) for column in table.columns]
    lines = compute.binary_join_element_wise(*texts, ",")
    return compute.binary_join_element_wise(lines, "\n", "").cast(arrow.binary())
