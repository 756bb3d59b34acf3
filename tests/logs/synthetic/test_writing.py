"""All formats hold the same sessions; a file is there whole or not at all."""

import csv
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.logs.synthetic.made import USERS, small_log, small_sessions
from tests.reference.synthetic_log import from_rows, read_sessions
from unirank.errors import ArgumentError
from unirank.logs.synthetic import drawing
from unirank.logs.synthetic.flaws import broken_lines, with_flaws
from unirank.logs.synthetic.line_formats import LINE_FORMATS
from unirank.logs.synthetic.writing import FORMATS, write_log

N = 250


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing.SyntheticLog.blocks, "__defaults__", (60,))


def name_of(log_format: str) -> str:
    return "log.csv" if log_format in ("sessions", "counts") else "log.tsv"


@pytest.mark.parametrize("bad", [0.0, 0.1])
@pytest.mark.parametrize("log_format", LINE_FORMATS)
def test_every_format_is_read_as_the_same_sessions(
    log_format: str, bad: float, tmp_path: Path
) -> None:
    path = tmp_path / name_of(log_format)
    written = write_log(small_log(), path, format=log_format, n_sessions=N, bad=bad)
    assert read_sessions(path, log_format) == small_sessions(N)
    n_lines = path.read_bytes().count(b"\n") - (log_format == "sessions")
    assert (written.malformed > 0) == (bad > 0)
    assert written.rows + written.malformed == n_lines
    assert written.clicks == sum(len(session.clicks) for session in small_sessions(N))
    assert written.sessions == N
    assert (written.path, written.bytes) == (str(path), path.stat().st_size)


def test_malformed_lines_are_only_put_between(tmp_path: Path) -> None:
    for log_format in FORMATS:
        path = tmp_path / name_of(log_format)
        write_log(small_log(), path, format=log_format, n_sessions=N)
        clean = path.read_bytes().splitlines()
        written = write_log(small_log(), path, format=log_format, n_sessions=N, bad=0.2)
        flawed = path.read_bytes().splitlines()
        assert flawed[0] == clean[0] or log_format not in ("sessions", "counts")
        rest = iter(flawed)
        assert all(line in rest for line in clean)  # in this order
        assert len(flawed) == len(clean) + written.malformed


def test_malformed_lines_stand_where_their_draws_say(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    write_log(small_log(), path, format="kdd", n_sessions=N)
    every = path.read_bytes().splitlines(keepends=True)
    n_lines = len(every)
    every += broken_lines("\t", 12)
    write_log(small_log(), path, format="kdd", n_sessions=N, bad=0.2)
    order = with_flaws(5, 1, n_lines, 0.2)  # the seed of the log, from line 1 on
    assert path.read_bytes() == b"".join(every[line] for line in order)


def test_parquet_holds_the_same_sessions(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    written = write_log(small_log(), path, format="sessions", n_sessions=N)
    rows = pq.read_table(path).to_pylist()
    assert from_rows([tuple(row.values()) for row in rows]) == small_sessions(N)
    assert (written.rows, written.malformed) == (len(rows), 0)


def test_counts_are_the_same_as_text_and_as_parquet(tmp_path: Path) -> None:
    for name in ("log.csv", "log.parquet"):
        write_log(small_log(), tmp_path / name, format="counts", n_sessions=N)
    with open(tmp_path / "log.csv") as file:
        lines = [dict(row) for row in csv.DictReader(file)]
    rows = pq.read_table(tmp_path / "log.parquet").to_pylist()
    assert [{key: str(value) for key, value in row.items()} for row in rows] == lines
    assert sum(row["impressions"] for row in rows) == sum(len(s.items) for s in small_sessions(N))


@pytest.mark.parametrize("log_format", FORMATS)
def test_files_are_compressed_as_their_name_says(log_format: str, tmp_path: Path) -> None:
    name = name_of(log_format)
    for ending in ("", ".gz", ".zst"):
        write_log(small_log(), tmp_path / f"{name}{ending}", format=log_format, n_sessions=N)
    plain = (tmp_path / name).read_bytes()
    assert gzip.decompress((tmp_path / f"{name}.gz").read_bytes()) == plain
    with pa.input_stream(str(tmp_path / f"{name}.zst"), compression="zstd") as stream:
        assert stream.read() == plain


def test_the_watch_is_told_how_far_it_is(tmp_path: Path) -> None:
    seen: list[int] = []
    write_log(small_log(), tmp_path / "a", format="kdd", n_sessions=N, watch=seen.append)
    assert seen == [60, 120, 180, 240, 250]


@pytest.mark.parametrize("name", ["log.tsv", "log.tsv.gz", "log.tsv.zst", "log.csv", "log.parquet"])
def test_nothing_is_left_of_an_interrupted_log(name: str, tmp_path: Path) -> None:
    def interrupted(done: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    (tmp_path / name).write_text("old")
    log_format = "kdd" if "tsv" in name else "sessions"
    with pytest.raises(KeyboardInterrupt):
        write_log(small_log(), tmp_path / name, format=log_format, n_sessions=N, watch=interrupted)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "old"}


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("a.tsv", {"format": "kddd"}, "unknown format 'kddd'; did you mean 'kdd'?"),
        ("a.tsv", {"format": "counts"}, "out must end in .csv, .csv.gz, .csv.zst or .parquet for"),
        ("a.parquet", {}, "out must not end in .parquet for kdd"),
        ("a.parquet", {"format": "counts", "bad": 0.1}, "bad must be 0 for Parquet"),
        ("a.tsv", {"bad": -0.1}, "bad must be a number >= 0, got -0.1"),
        ("a.tsv", {"bad": 0.6}, "bad must be in [0, 0.5], got 0.6"),
        ("a.tsv", {"bad": float("nan")}, "bad must be"),
        ("a.tsv", {"n_sessions": 0}, "n_sessions must be in 1.."),
        ("none/a.tsv", {}, "cannot write"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_written(
    name: str, changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"format": "kdd", "n_sessions": N, **changes}
    with pytest.raises(ArgumentError) as caught:
        write_log(small_log(), tmp_path / name, **settings)
    assert said in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("item", ["a,b", "a\tb", "a\nb", 'a"b', "", "a\r"])
def test_ids_that_would_break_a_line_are_refused_in_text(item: str, tmp_path: Path) -> None:
    log = drawing.SyntheticLog({"q": USERS["30"]}, {"q": [item, "y"]})
    with pytest.raises(ArgumentError, match="item ids must hold no tab, comma, quote"):
        write_log(log, tmp_path / "a.tsv", format="kdd", n_sessions=N)
    write_log(log, tmp_path / "a.parquet", format="sessions", n_sessions=N)
    query = drawing.SyntheticLog({item: USERS["30"]})
    with pytest.raises(ArgumentError, match="query ids must hold no tab, comma, quote"):
        write_log(query, tmp_path / "a.tsv", format="kdd", n_sessions=N)
