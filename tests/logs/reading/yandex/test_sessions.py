"""Where sessions begin and end, and what of them is noted."""

import numpy as np
import pytest

from unirank.logs.reading.yandex.layout import RELPRED
from unirank.logs.reading.yandex.lines import empty_lines, find_lines
from unirank.logs.reading.yandex.parts import hashes
from unirank.logs.reading.yandex.sessions import (
    DEFECTS,
    LONGEST,
    TOO_LONG,
    Found,
    match_sessions,
    nothing_found,
)
from unirank.logs.reading.yandex.text import FNV_START, hashed, text_of


def matched(lines: list[str], queries: list[str] | None = None) -> tuple[int, Found]:
    text = text_of("".join(f"{line}\n" for line in lines).replace(" ", "\t").encode())
    found, known = empty_lines(len(lines)), nothing_found(len(lines))
    find_lines(text, RELPRED, found)
    return match_sessions(text, RELPRED, found, hashes(queries or []), known), known


def test_a_session_is_a_run_of_lines_and_a_bad_line_does_not_end_it() -> None:
    lines = ["7 0 Q 1 0 a", "x", "7 1 C a", "s 0 Q 1 0 a", "7 2 C a"]
    n_sessions, found = matched(lines)
    name = np.frombuffer(b"s", np.uint8)
    assert found.sessions[:n_sessions].tolist() == [7, int(hashed(name, 0, 1, FNV_START)), 7]
    assert found.mask.tolist() == [1, 0, 0, 0, 0]


def test_defects() -> None:
    lines = [
        *("1 0 Q 1 0 a", "1 0 Q 1 0 b ", "1 5 Q 1 0  b", "1 5 Q 2 0 a b"),
        *("1 9 C z", "1 9 C z", "1 8 C z", "1 9 C b"),
    ]
    _, found = matched(lines)
    again, gap, orphan = DEFECTS[1:]
    expected = [again, again, gap, None, orphan, None, orphan, None]
    assert [DEFECTS[code] for code in found.defect] == expected
    assert found.mask.tolist() == [0, 0, 0, 2, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("queries", "dropped"),
    [([], [0, 0, 0, 0, 0]), (["1"], [0, 1, 0, 1, 1]), (["3"], [1, 1, 1, 1, 1])],
)
def test_what_is_not_wanted_is_dropped(queries: list[str], dropped: list[int]) -> None:
    lines = ["1 0 Q 1 0 a", "1 0 Q 2 0 a", "1 0 C z", "2 0 Q 2 0 a", "2 0 C z"]
    _, found = matched(lines, queries)
    assert found.dropped.tolist() == [bool(each) for each in dropped]


def test_a_session_may_be_too_long_to_match_in_passing() -> None:
    lines = ["1 0 Q 7 0 a", *["1 1 C a"] * (LONGEST - 1)]
    assert matched(lines)[0] == 1
    assert matched([*lines, "2 0 C a"])[0] == 2
    assert matched([*lines, "1 1 C a"])[0] == TOO_LONG
