"""Equal pages with equal clicks become one row, and nothing is lost."""

from collections import Counter

import pytest

from unirank.logs.reading.yandex.layout import RELPRED
from unirank.logs.reading.yandex.lines import empty_lines, find_lines
from unirank.logs.reading.yandex.merging import N_BUCKETS, merged
from unirank.logs.reading.yandex.parts import hashes
from unirank.logs.reading.yandex.sessions import match_sessions, nothing_found
from unirank.logs.reading.yandex.text import text_of

LINES = [
    "1 0 Q 7 0 a b",
    "1 1 C b",
    "2 0 Q 7 0 a b",
    "3 0 Q 8 0 a b",
    "3 1 C b",
    "4 0 Q 7 0 a b",
    "4 1 C b",
    "5 0 Q 7 9 a b",  # another region
    "5 1 C a",
    "5 2 C b",
    "6 0 Q 7 0 a b c",
    "7 0 Q 7 0 a  b",  # a gap
    "8 0 Q 7 0 a  b",
    "9 0 C b",  # without a page
    "9 0 C b",
]


def rows(lines: list[str], *, by_session: bool) -> list[tuple[int, int]]:
    text = text_of("".join(f"{line}\n" for line in lines).replace(" ", "\t").encode())
    found, known = empty_lines(len(lines)), nothing_found(len(lines))
    find_lines(text, RELPRED, found)
    match_sessions(text, RELPRED, found, hashes([]), known)
    made = merged(text, RELPRED, found, known, by_session=by_session)
    assert made.line.base is made.sessions.base is None  # what a block needed is not kept with them
    return list(zip(made.line.tolist(), made.sessions.tolist(), strict=True))


def test_rows() -> None:
    assert rows(LINES, by_session=False) == [
        (0, 2),
        (2, 1),
        (3, 1),
        (7, 1),
        (10, 1),
        (11, 1),
        (12, 1),
        (13, 1),
    ]


def test_by_session_every_page_is_a_row() -> None:
    found = rows(LINES, by_session=True)
    assert [line for line, _ in found] == [0, 2, 3, 5, 7, 10, 11, 12, 13]
    assert {n for _, n in found} == {1}


@pytest.mark.parametrize("n_pages", [N_BUCKETS // 2, N_BUCKETS])
def test_pages_beyond_the_table_are_rows_of_their_own(n_pages: int) -> None:
    lines = [f"{n} 0 Q 7 0 {n % n_pages}" for n in range(2 * n_pages)]
    found = rows(lines, by_session=False)
    counts: Counter[int] = Counter()
    for line, n in found:
        counts[line % n_pages] += n
    assert set(counts.values()) == {2}
    assert len(counts) == n_pages
    assert 2 * n_pages - N_BUCKETS // 2 <= len(found) < 2.01 * n_pages - N_BUCKETS // 2


def test_clicks_are_compared_where_pages_share_a_place_in_the_table() -> None:
    items = [chr(ord("a") + n) for n in range(12)]
    lines = []
    for mask in range(1 << len(items)):
        lines.append(f"{mask} 0 Q 7 0 {' '.join(items)}")
        lines += [f"{mask} 1 C {item}" for n, item in enumerate(items) if mask >> n & 1]
    assert {n for _, n in rows(lines, by_session=False)} == {1}
