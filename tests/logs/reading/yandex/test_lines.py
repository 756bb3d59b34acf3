"""What kind a line is."""

import pytest

from unirank.logs.reading.bad_lines import BEYOND, EMPTY, NOT_A_NUMBER, TOO_FEW, UNKNOWN
from unirank.logs.reading.yandex.layout import RELPRED, SEARCH, Layout
from unirank.logs.reading.yandex.lines import BAD_KINDS, empty_lines, find_lines, number
from unirank.logs.reading.yandex.text import text_of

KINDS = [
    (RELPRED, "1 0 Q 7 0 a", "Q"),
    (RELPRED, "1 0 C a", "C"),
    (RELPRED, "1 M 3 4", UNKNOWN),  # sessions do not begin here
    (RELPRED, "1 0 QQ 7 0 a", UNKNOWN),
    (RELPRED, "1 0  7 0 a", UNKNOWN),
    (RELPRED, "", EMPTY),
    (RELPRED, " ", TOO_FEW),
    (RELPRED, "1 0", TOO_FEW),
    (RELPRED, "1 0 C", TOO_FEW),
    (RELPRED, "1 0 Q 7 0", TOO_FEW),
    (RELPRED, "1 0 Q 7 0" + " a" * 63, "Q"),
    (RELPRED, "1 0 Q 7 0" + " a" * 64, BEYOND),
    (RELPRED, "1 9999999999999999 C a", "C"),
    *((RELPRED, f"1 {time} C a", NOT_A_NUMBER) for time in ("", "-1", "1.5", "+1", "1" * 17, "x")),
    (SEARCH, "1 M 3 4", "M"),
    (SEARCH, "1 M 3", TOO_FEW),
    (SEARCH, "1 0 Q 0 7 1 a,1", "Q"),
    (SEARCH, "1 0 T 0 7 1 a,1", "T"),
    (SEARCH, "1 0 T 0 7 1", TOO_FEW),
    (SEARCH, "1 0 C 0 a", "C"),
    (SEARCH, "1 0 C 0", TOO_FEW),
]


@pytest.mark.parametrize(("layout", "line", "kind"), KINDS)
def test_kinds(layout: Layout, line: str, kind: str) -> None:
    text = text_of(f"{line}\n0\t0\tX\n".replace(" ", "\t").encode())
    lines = empty_lines(2)
    find_lines(text, layout, lines)
    code = int(lines.kind[0])
    assert kind == (BAD_KINDS[code] if code < len(BAD_KINDS) else chr(code))
    assert lines.n_fields.tolist() == [line.count(" ") + 1, 3]
    assert lines.first.tolist() == [0, line.count(" ") + 1]
    if kind in ("Q", "C", "T"):
        assert lines.time[0] == int(line.split()[1])


def test_leading_zeros_do_not_count() -> None:
    assert number(text_of(b"0007\n"), 0) == 7
