"""Bad lines of every kind are counted, shown and, if they are many, an error."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.logs.reading.writing import (
    assert_same,
    kdd_lines,
    random_sessions,
    relpred_lines,
    search_lines,
    write_lines,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.bad_lines import BadLines, require_few, shortened
from unirank.logs.reading.log import LogStatistics, read_statistics

SESSIONS = random_sessions(40, seed=2)
COUNTS = ["query,item,position,impressions,clicks", "1,a,1,5,2", "1,b,2,5,0"]
ROWS = ["session,query,position,item,click", "1,7,1,a,0", "1,7,2,b,1", "2,7,1,a,0"]
GOOD = {
    "yandex-relpred": relpred_lines(SESSIONS),
    "yandex-search": search_lines(SESSIONS),
    "kdd": kdd_lines(SESSIONS),
    "counts": COUNTS,
    "sessions": ROWS,
}
BAD = [
    ("yandex-relpred", "1\t2\tX\t4\t5\t6", "unknown record type"),
    ("yandex-relpred", "1\t2", "too few fields"),
    ("yandex-relpred", "1\t2\tC", "too few fields"),
    ("yandex-relpred", "1\t2\tQ\t7\t0", "too few fields"),
    ("yandex-relpred", "1\tsoon\tC\t8", "not a whole number"),
    ("yandex-relpred", "1\t-2\tC\t8", "not a whole number"),
    ("yandex-relpred", "77\t0\tC\t8", "click without a query"),
    ("yandex-relpred", "0\t99\tC\tnowhere", "click without a query"),
    ("yandex-relpred", "99\t0\tQ\t7\t0\t7\t\t8", "a position is missing"),
    ("yandex-relpred", "99\t0\tQ\t7\t0" + "\t8" * 64, "position beyond the page"),
    ("yandex-search", "1\t2\tX\t4\t5\t6", "unknown record type"),
    ("yandex-search", "1\tM\t3", "too few fields"),
    ("yandex-search", "1\t2\tQ\t0\t7\t1", "too few fields"),
    ("yandex-search", "1\t2\tC\t0", "too few fields"),
    ("yandex-search", "1\tx\tC\t0\t7", "not a whole number"),
    ("yandex-search", "1\t2\tC\t44\t7", "click without a query"),
    ("yandex-search", "99\t0\tQ\t0\t7\t1\t7,1\t,1", "a position is missing"),
    ("kdd", "0\t1\t0\t5\t0\t3\t1\t7\t0\t0\t0", "too few fields"),
    ("kdd", "0\t1\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0\t0", "too many fields"),
    ("kdd", "0\tmany\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0", "not a whole number"),
    ("kdd", "0\t1\t0\t5\t0\t3\t4\t7\t0\t0\t0\t0", "position beyond the page"),
    ("kdd", "0\t1\t0\t5\t0\t3\t0\t7\t0\t0\t0\t0", "position beyond the page"),
    ("kdd", "2\t1\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0", "clicks exceed impressions"),
    ("kdd", "-1\t1\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0", "negative count"),
    ("kdd", "0\t1\t0\t5\t0\t1001\t1001\t7\t0\t0\t0\t0", "position beyond the page"),
    ("kdd", f"0\t{10**12 + 1}\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0", "count above 10^12"),
    ("kdd", "0\t1.5\t0\t5\t0\t3\t1\t7\t0\t0\t0\t0", "not a whole number"),
    ("counts", "1,c,1,5", "too few fields"),
    ("counts", "1,c,1,10.7,2", "not a whole number"),
    ("counts", "1,c,1,10,2.5", "not a whole number"),
    ("counts", "1,c,1.6,10,2", "not a whole number"),
    ("counts", f"1,c,{-(2**63)},10,2", "not a whole number"),
    ("counts", f"1,c,1,{2**63},2", "not a whole number"),
    ("counts", f"1,c,1,{2**40},2", "count above 10^12"),
    ("counts", "1,c,1001,10,2", "position beyond the page"),
    ("counts", "1,c,1,5,2,9", "too many fields"),
    ("counts", "1,,1,5,2", "empty field"),
    ("counts", '1,"c,1,5,2', "quote that is not closed"),
    ("counts", "1,c,0,5,2", "position beyond the page"),
    ("counts", "1,c,1,5,6", "clicks exceed impressions"),
    ("counts", "1,c,1,5,-1", "negative count"),
    ("sessions", "3,7,1,a,0,0", "too many fields"),
    ("sessions", "3,7,1,a", "too few fields"),
    ("sessions", "3,7", "too few fields"),
    ("sessions", ",7,1,a,0", "empty field"),
    ("sessions", "3,7,1.6,a,0", "not a whole number"),
    ("sessions", '3,7,1,"a,0', "quote that is not closed"),
    ("sessions", '3,7,1,"a"b,0', "quote that is not closed"),
    ("sessions", "3,7,first,a,0", "not a whole number"),
    ("sessions", "3,7,1,a,yes", "not a whole number"),
    ("sessions", "3,7,0,a,0", "position beyond the page"),
    ("sessions", "3,7,64,a,0", "position beyond the page"),
    ("sessions", "3,7,1,a,2", "click neither 0 nor 1"),
    ("sessions", "3,7,2,a,0", "a position is missing"),
]


def read(path: Path, format: str, **options: Any) -> LogStatistics:
    return read_statistics(path, format=format, models=["pbm"], n_threads=1, **options)


@pytest.mark.parametrize("format", sorted(GOOD))
def test_bad_lines_are_counted_by_kind_and_change_nothing_else(tmp_path: Path, format: str) -> None:
    bad = [(line, kind) for known, line, kind in BAD if known == format]
    lines = [line for line, _ in bad]
    good = read(write_lines(tmp_path / "good", GOOD[format]), format)
    found = read(write_lines(tmp_path / "both", [*GOOD[format], *lines]), format, max_bad=1.0)
    assert found.bad.counts == Counter(kind for _, kind in bad)
    assert found.n_rows == good.n_rows + len(lines)
    for kind, examples in found.bad.examples.items():
        for example in examples:  # a page or click is shown by its session, query or url
            numbers = [word for word in example.split() if word.isdigit()]
            assert any(all(n in line for n in numbers) for line, of in bad if of == kind)
    for one, other in zip(found.queries, good.queries, strict=True):
        assert_same(one, other)


def test_both_copies_of_a_page_are_left_out(tmp_path: Path) -> None:
    lines = GOOD["yandex-relpred"]
    path = write_lines(tmp_path / "log", [*lines, lines[0]])
    assert read(path, "yandex-relpred", max_bad=1.0).bad.counts == {"page logged twice": 2}
    with pytest.raises(ArgumentError, match=r"most are 'page logged twice'"):
        read(path, "yandex-relpred", max_bad=0.0)


def test_three_examples_of_each_kind_are_kept(tmp_path: Path) -> None:
    lines = [*GOOD["kdd"], *(f"line {n}" for n in range(9)), *["x\t" * 11] * 2]
    bad = read(write_lines(tmp_path / "log", lines), "kdd", max_bad=1.0).bad
    assert bad.counts == {"too few fields": 9, "not a whole number": 2}
    assert {kind: len(shown) for kind, shown in bad.examples.items()} == {
        "too few fields": 3,
        "not a whole number": 2,
    }
    assert bad.share == pytest.approx(11 / len(lines))


def test_the_limit_is_a_share_of_the_lines() -> None:
    bad = BadLines(
        {"a position is missing": 2, "not a whole number": 1},
        {"a position is missing": ("x",)},
        1000,
    )
    require_few(bad, 0.003)
    message = (
        r"^0.30% of 1,000 lines are bad \(a session left out as a whole counts once\), "
        r"the limit max_bad is 0.20%; "
        r"most are 'a position is missing', as 'x'; or not$"
    )
    with pytest.raises(ArgumentError, match=message):
        require_few(bad, 0.002, remedy=lambda _: "; or not")


def test_a_column_that_is_not_needed_may_be_missing_at_the_end(tmp_path: Path) -> None:
    longer = [f"{ROWS[0]},note", *ROWS[1:]]
    path = write_lines(tmp_path / "log.csv", longer)
    assert read(path, "sessions", max_bad=0.0).n_rows == 3


def test_another_format_is_recognised(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", GOOD["kdd"])
    with pytest.raises(ArgumentError, match=r"; this looks like kdd: pass --format kdd$"):
        read(path, "yandex-relpred")


def test_examples_are_short() -> None:
    assert shortened("a\tb") == "a b"
    assert len(shortened("x" * 1000)) == 120


REMEDIES = [
    ("1,7,0,a,0", "if its positions count from 0, pass --first-position 0"),
    ("1,7,1,a,yes", "whole numbers, clicks 0 and 1 or true and false"),
    ("1,7,1,a,2", "clicks are 0 and 1, or true and false"),
]


@pytest.mark.parametrize(("line", "remedy"), REMEDIES)
def test_the_error_shows_the_line_and_names_the_remedy(
    tmp_path: Path, line: str, remedy: str
) -> None:
    path = write_lines(tmp_path / "log.csv", [ROWS[0], line])
    with pytest.raises(ArgumentError) as raised:
        read(path, "sessions")
    values = dict(zip(ROWS[0].split(","), line.split(","), strict=True))
    logged = ", ".join(f"{name} {value}" for name, value in values.items())
    assert f"as {logged!r}; " in str(raised.value)
    assert str(raised.value).endswith(remedy)


def test_true_and_false_are_clicks(tmp_path: Path) -> None:
    words = [row.replace(",0", ",false").replace(",1", ",True") for row in ROWS[1:]]
    rows = [
        row.rsplit(",", 1)[0] + "," + word.rsplit(",", 1)[1]
        for row, word in zip(ROWS[1:], words, strict=True)
    ]
    path = write_lines(tmp_path / "words.csv", [ROWS[0], *rows])
    numbers = write_lines(tmp_path / "log.csv", ROWS)
    assert_same(read(path, "sessions").queries, read(numbers, "sessions").queries)
