"""Which queries of a log of counts are read; and the counts that the paper's authors published."""

import os
from pathlib import Path

import polars as pl
import pytest

from tests.logs.reading.writing import write_lines
from unirank.errors import ArgumentError
from unirank.logs.reading.log import read_statistics

HEADER = "query,item,position,impressions,clicks"


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
