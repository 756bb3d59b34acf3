"""Sums of counts: by what the lines say, or one display per line."""

from pathlib import Path

import pytest

from tests.logs.reading.running import fetched, small
from tests.logs.reading.writing import write_lines
from unirank.logs.reading.count_logs import cells, count_rows, kdd_rows
from unirank.logs.reading.log import read_statistics

LINES = [
    "2\t5\t0\t30\t0\t3\t1\t7\t0\t0\t0\t0",
    "0\t4\t0\t30\t0\t1\t1\t7\t0\t0\t0\t1",
    "1\t1\t0\t30\t0\t3\t2\t7\t0\t0\t0\t1",
    "0\t0\t0\t31\t0\t3\t3\t7\t0\t0\t0\t1",
]


@pytest.mark.parametrize(
    ("one_display_per_line", "impressions", "clicks"),
    [(False, [9, 1], [2, 1]), (True, [2, 1, 1], [1, 1, 0])],
)
def test_displays_of_ads(
    tmp_path: Path, one_display_per_line: bool, impressions: list[int], clicks: list[int]
) -> None:
    path = write_lines(tmp_path / "training.txt", LINES)
    (found,) = read_statistics(
        path, format="kdd", models=["pbm"], one_display_per_line=one_display_per_line
    ).queries
    assert found.shown is not None
    assert found.items == ("30", "31")[: 1 + one_display_per_line]
    assert found.shown.impressions.tolist() == impressions
    assert found.shown.clicks.tolist() == clicks
    assert found.shown.position.tolist() == [0, 1, 2][: len(clicks)]


def test_bad_rows_are_one_row_per_kind() -> None:
    rows = kdd_rows(small({"line": [*LINES, "x", "y", ""]}), one_display_per_line=False)
    found = {
        (row["bad"], row["item"], row["position"]): row["rows"] for row in fetched(cells(rows))
    }
    assert found == {
        (None, 30, 0): 2,
        (None, 30, 1): 1,
        (None, 31, 2): 1,
        ("too few fields", None, None): 2,
        ("empty line", None, None): 1,
    }


def test_positions_from_any_first_one() -> None:
    table = small(
        {
            "query": ["q", "q"],
            "item": ["a", "b"],
            "position": [4, 6],
            "impressions": ["3", "4"],
            "clicks": ["1", "x"],
            "rest": [None, None],
        }
    )
    found = fetched(count_rows(table, first_position=4))
    assert [(row["position"], row["bad"]) for row in found] == [(0, None), (2, "not a number")]
