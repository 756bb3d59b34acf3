"""Sums of counts, selected queries, and the counts that the paper's authors published."""

import os
from pathlib import Path

import polars as pl
import pytest

from tests.logs.reading.running import fetched, small
from tests.logs.reading.writing import (
    assert_same,
    count_table,
    counts_of,
    expected,
    random_sessions,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.reading.count_logs import cells, count_rows, kdd_rows
from unirank.logs.reading.log import read_statistics

HEADER = "query,item,position,impressions,clicks"
SESSIONS = random_sessions(60, seed=6)
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
    rows = kdd_rows(small({"line": [*LINES, "x", "y"]}), one_display_per_line=False)
    found = {
        (row["bad"], row["item"], row["position"]): row["rows"] for row in fetched(cells(rows))
    }
    assert found == {
        (None, 30, 0): 2,
        (None, 30, 1): 1,
        (None, 31, 2): 1,
        ("too few fields", None, None): 2,
    }


def test_positions_from_any_first_one() -> None:
    table = small(
        {
            "query": ["q", "q"],
            "item": ["a", "b"],
            "position": [4, 6],
            "impressions": ["3", "4"],
            "clicks": ["1", "x"],
            "fault": [None, None],
        }
    )
    found = fetched(count_rows(table, first_position=4))
    assert [(row["position"], row["bad"]) for row in found] == [
        (0, None),
        (2, "not a whole number"),
    ]


def test_one_display_per_line_is_for_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", [HEADER, "1,1,1,1,1"])
    with pytest.raises(ArgumentError, match=r"one_display_per_line is for the format 'kdd'"):
        read_statistics(path, format="counts", models=["pbm"], one_display_per_line=True)


def test_counts_of_one_cell_are_added_up(tmp_path: Path) -> None:
    rows = count_table(SESSIONS[:30]) + count_table(SESSIONS[30:])
    path = write_rows(tmp_path / "log.csv", rows)
    assert_same(
        read_statistics(path, format="counts", models=["pbm"], max_bad=0).queries,
        counts_of(expected(SESSIONS)),
    )


def test_queries_by_impressions_then_by_name(tmp_path: Path) -> None:
    rows = ["b,x,1,5,0", "a,x,1,2,0", "a,y,2,3,0", "c,x,1,9,0", "d,x,1,1,1"]
    path = write_lines(tmp_path / "log.csv", [HEADER, *rows])
    found = read_statistics(path, format="counts", models=["pbm"], n_queries=3).queries
    assert [(each.query, each.n_positions) for each in found] == [("c", 2), ("a", 2), ("b", 2)]
    (some,) = read_statistics(path, format="counts", models=["pbm"], queries=["d"]).queries
    assert some.items == ("x",)


def test_a_log_without_a_display(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.csv", [HEADER, "b,x,1,0,0"])
    with pytest.raises(ArgumentError, match=r"^the log has no display$"):
        read_statistics(path, format="counts", models=["pbm"])


@pytest.mark.skipif("UNIRANK_DATA" not in os.environ, reason="UNIRANK_DATA names no folder")
def test_published_counts() -> None:
    path = Path(os.environ["UNIRANK_DATA"]) / "Yandex_filtered_compress.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not in UNIRANK_DATA")
    names = {"item": "url", "position": "pos", "impressions": "Impression", "clicks": "Click"}
    found = read_statistics(
        path, format="counts", models=["pbm"], columns=names, first_position=0, max_bad=0.01
    )
    table = pl.read_csv(path, schema_overrides={"query": pl.String, "url": pl.String})
    clicked_twice = table.filter(pl.col("Click") > pl.col("Impression"))
    assert found.bad.counts == {"clicks exceed impressions": clicked_twice.height}
    table = table.filter(pl.col("Click") <= pl.col("Impression"))
    assert {each.query for each in found.queries} == set(table["query"])
    for each in found.queries:
        assert each.shown is not None
        mine = table.filter((pl.col("query") == each.query) & (pl.col("Impression") > 0))
        assert each.items == tuple(sorted(set(mine["url"])))
        rows = zip(*(column.tolist() for column in each.shown), strict=True)
        assert {(each.items[row[0]], *row[1:]) for row in rows} == set(
            mine.select("url", "pos", "Impression", "Click").iter_rows()
        )
