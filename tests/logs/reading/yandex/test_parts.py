"""What a block of lines gives."""

from pathlib import Path

import pytest

from unirank.errors import ArgumentError
from unirank.logs.reading.yandex.layout import RELPRED, SEARCH
from unirank.logs.reading.yandex.parts import hashes, taken_apart

FILE = Path("log.txt")
ALL = hashes([])


def block(*lines: str, end: str = "\n") -> bytes:
    return "".join(line.replace(" ", "\t") + end for line in lines).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_part(end: str) -> None:
    lines = [
        "1 M 3 4",
        "1 0 Q 0 7 1 a,1 b,2",
        "2 0 Q 0 7 1 a,1 b,2",
        "1",
        "2 5 C 0 b",
        "3 0 T 0 7 1 a,1",
        "4 0 Q 0 é 1 a,1 ,2",
        "4 1 C 9 ü",
        "",
    ]
    part = taken_apart(FILE, block(*lines, end=end), SEARCH, ALL, by_session=False)
    columns = ("session", "query", "url", "shown", "width", "mask", "defect", "sessions")
    assert part.pages.to_pylist() == [
        dict(zip(columns, row, strict=True))
        for row in (
            ("1", "7", None, "\ta\tb\t", 2, 0, None, 1),
            ("2", "7", None, "\ta\tb\t", 2, 2, None, 1),
            ("4", "é", None, "\ta\t\t", 2, 0, "gap in the page", 1),
            ("4", None, "ü", "", 0, 0, "click without a query", 1),
        )
    ]
    part.pages.validate(full=True)
    assert (part.n_lines, part.n_tests, part.sessions.size) == (len(lines), 1, 4)
    assert part.bad == {"empty line": 1, "too few fields": 1}
    assert part.examples == {"empty line": [""], "too few fields": ["1"]}


def test_three_examples_are_kept() -> None:
    part = taken_apart(FILE, block(*"abcde"), RELPRED, ALL, by_session=False)
    assert part.bad == {"too few fields": 5}
    assert part.examples == {"too few fields": ["a", "b", "c"]}
    assert part.pages.num_rows == 0


def test_bytes_that_are_not_text() -> None:
    with pytest.raises(ArgumentError, match=r"'log.txt' is not text in UTF-8$"):
        taken_apart(FILE, b"1\t0\tC\t\xff\n", RELPRED, ALL, by_session=False)


def test_pages_of_other_queries_are_left_out() -> None:
    lines = [
        *("1 0 Q 7 0 a", "1 0 Q 8 0 b", "1 1 C b", "1 2 C x"),
        *("2 0 Q 8 0 a", "2 1 C x"),
        *("3 0 Q 9 0 a  b", "3 1 C x"),
    ]
    part = taken_apart(FILE, block(*lines), RELPRED, hashes(["9", "7", "none"]), by_session=False)
    found = [(row["session"], row["query"], row["url"]) for row in part.pages.to_pylist()]
    assert found == [("1", "7", None), ("1", None, "x"), ("3", "9", None), ("3", None, "x")]
    assert part.sessions.size == 3
