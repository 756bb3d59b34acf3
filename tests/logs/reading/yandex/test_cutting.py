"""Blocks of whole sessions, whatever the size of what is read."""

from collections.abc import Iterator

import pytest

from tests.logs.reading.writing import random_sessions, relpred_lines
from unirank.logs.reading.yandex.cutting import TooLongError, last_session, whole_sessions

LINES = relpred_lines(random_sessions(60, seed=6))
TEXT = "".join(f"{line}\n" for line in LINES).encode()


def read(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


@pytest.mark.parametrize("size", [40, 100, 300, 10_000])
@pytest.mark.parametrize("end", [b"", b"99\t0\tC\tx"])
def test_no_session_is_cut(size: int, end: bytes) -> None:
    found = list(whole_sessions(read(TEXT + end, size), longest=500))
    assert b"".join(found) == TEXT + (end and end + b"\n")
    names = [{line.split(b"\t")[0] for line in block.splitlines()} for block in found]
    assert sum(len(part) for part in names) == len(set().union(*names))
    assert len(found) > 1


def test_lines_without_a_tab_do_not_cut() -> None:
    text = b"0\t0\n1\t0\n2\t0\n\n2\t1\nx\n2\t2\n"
    assert last_session(text) == text.index(b"2")


def test_a_line_may_go_on() -> None:
    assert last_session(b"1\t0\n2\t0\n3\t0\n4\t") == 8  # 3 may go on, and 4 is not all there
    assert last_session(b"1\t0\n1\t0\n") == 0
    assert last_session(b"1\t0") == 0


def test_a_session_without_an_end() -> None:
    with pytest.raises(TooLongError):
        list(whole_sessions(read(b"1\t0\tC\tx\n" * 200, 100), longest=500))


def test_the_mark_of_utf_8_is_no_part_of_a_name() -> None:
    assert list(whole_sessions(iter([b"\xef\xbb\xbf1\t0\n"]), longest=9)) == [b"1\t0\n"]
