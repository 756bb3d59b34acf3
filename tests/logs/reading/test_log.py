"""Whole readings: every format gives what counting the sessions one by one gives."""

from pathlib import Path
from typing import Any

import pytest

from tests.logs.reading.writing import (
    N_POSITIONS,
    QUERIES,
    assert_same,
    count_table,
    counts_of,
    expected,
    kdd_lines,
    random_sessions,
    relpred_lines,
    search_lines,
    session_rows,
    write_lines,
    write_rows,
)
from unirank.errors import ArgumentError
from unirank.logs.estimators import registry
from unirank.logs.reading.log import LogStatistics, read_statistics, tables_of

SESSIONS = random_sessions(300, seed=1)


def read(path: Path, format: str, **options: Any) -> LogStatistics:
    given = {"models": registry.names(), "n_threads": 1, "max_bad": 0.0, **options}
    return read_statistics(path, format=format, **given)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "log.csv", session_rows(SESSIONS))


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize(
    ("format", "lines"),
    [("yandex-relpred", relpred_lines(SESSIONS)), ("yandex-search", search_lines(SESSIONS))],
)
def test_yandex_logs(tmp_path: Path, format: str, lines: list[str], ending: str) -> None:
    path = write_lines(tmp_path / f"log.txt{ending}", lines)
    found = read(path, format)
    assert_same(found.queries, expected(SESSIONS))
    assert (found.n_rows, found.bad.n_bad, found.held_out) == (len(lines), 0, [])
    assert found.seconds > 0


@pytest.mark.parametrize("name", ["log.csv", "log.csv.gz", "log.csv.zst", "log.parquet"])
def test_tables_of_sessions(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, session_rows(SESSIONS))
    assert_same(read(path, "sessions").queries, expected(SESSIONS))


@pytest.mark.parametrize("name", ["log.csv", "log.csv.gz", "log.csv.zst", "log.parquet"])
def test_tables_of_counts(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, count_table(SESSIONS, first_position=0))
    found = read(path, "counts", models=["pbm"], first_position=0)
    from_0 = [one._replace(first_position=0) for one in counts_of(expected(SESSIONS))]
    assert_same(found.queries, from_0)


@pytest.mark.parametrize("name", ["training.txt", "training.txt.gz", "training.txt.zst"])
def test_kdd(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / name, kdd_lines(SESSIONS))
    found = read(path, "kdd", models=["pbm"])
    assert_same(found.queries, counts_of(expected(SESSIONS)))


@pytest.mark.parametrize(
    ("model", "table"), [("pbm", "shown"), ("cm", "first_click"), ("ubm", "last_click")]
)
def test_only_the_tables_of_the_models_are_counted(tmp_path: Path, model: str, table: str) -> None:
    path = write_lines(tmp_path / "log.txt", relpred_lines(SESSIONS))
    (found, *_) = read(path, "yandex-relpred", models=[model]).queries
    names = ["shown", "first_click", "last_click", "chains"]
    assert [name for name in names if getattr(found, name) is not None] == [table]
    assert found.items == expected(SESSIONS)[0].items


@pytest.mark.parametrize(
    ("format", "write"), [("yandex-relpred", relpred_lines), ("yandex-search", search_lines)]
)
def test_clicks_find_their_page_among_those_of_other_queries(
    tmp_path: Path, format: str, write: Any
) -> None:
    path = write_lines(tmp_path / "log.txt", write(SESSIONS))
    found = read(path, format, n_queries=2)
    assert_same(found.queries, expected(SESSIONS, QUERIES[:2]))
    found = read(path, format, queries=[3, "12"])
    assert_same(found.queries, expected(SESSIONS, ["3", "12"]))


def test_pages_are_cut_to_the_positions_wanted(tmp_path: Path, table: Path) -> None:
    cut = [
        session._replace(items=session.items[:2], clicks=tuple(k for k in session.clicks if k < 2))
        for session in SESSIONS
    ]
    assert_same(read(table, "sessions", n_positions=2).queries, expected(cut, n_positions=2))
    path = write_lines(tmp_path / "log.txt", relpred_lines(SESSIONS))
    assert_same(read(path, "yandex-relpred", n_positions=2).queries, expected(cut, n_positions=2))


def test_pages_may_be_asked_to_be_longer_than_any(table: Path) -> None:
    found = read(table, "sessions", n_positions=6)
    assert_same(found.queries, expected(SESSIONS, n_positions=6))


def test_pages_of_many_positions(tmp_path: Path) -> None:
    sessions = [
        session._replace(items=tuple(f"{session.query}-{k}" for k in range(63)), clicks=(k, 62))
        for k, session in enumerate(SESSIONS[:62])
    ]
    path = write_rows(tmp_path / "log.parquet", session_rows(sessions))
    assert_same(read(path, "sessions").queries, expected(sessions, n_positions=63))


def test_held_out_sessions_are_the_others(tmp_path: Path, table: Path) -> None:
    found = read(table, "sessions", held_out=0.3)
    n_held = sum(each.n_sessions for each in found.held_out)
    assert 60 < n_held < 120  # of 300 sessions, 30 %: 4 standard deviations are 32
    for train, held, whole in zip(found.queries, found.held_out, expected(SESSIONS), strict=True):
        assert train.items == held.items == whole.items
        assert train.n_sessions + held.n_sessions == whole.n_sessions
        assert train.shown is not None
        assert held.shown is not None
        assert whole.shown is not None
        sums = train.shown.impressions.sum() + held.shown.impressions.sum()
        assert sums == whole.shown.impressions.sum()
    again = read(table, "sessions", held_out=0.3, n_threads=2)
    assert_same(again.held_out, found.held_out)


def test_held_out_pages_are_those_counted(table: Path) -> None:
    found = read(table, "sessions", held_out=0.3)
    for pages, held in zip(found.held_out_pages, found.held_out, strict=True):
        assert pages.query == held.query
        assert pages.items.shape == pages.clicks.shape == (len(pages.sessions), N_POSITIONS)
        assert pages.sessions.sum() == held.n_sessions
        assert held.shown is not None
        for item, position, impressions, clicks in zip(*held.shown, strict=True):
            there = pages.items[:, position] == item
            assert pages.sessions[there].sum() == impressions
            assert pages.sessions[there & pages.clicks[:, position]].sum() == clicks


def test_the_paper_s_kdd_filter(tmp_path: Path) -> None:
    rows = []
    for query, n_ads in (("1", 5), ("2", 4), ("3", 6)):
        for ad in range(n_ads):
            for position in (1, 2, 3):
                n_lines = 999 if (query, ad, position) == ("3", 5, 2) else 1000
                line = f"3\t7\t0\t{ad}\t0\t3\t{position}\t{query}\t0\t0\t0\t0"
                rows += [line] * n_lines
    path = write_lines(tmp_path / "training.txt", rows)
    found = read(path, "kdd", models=["pbm"], preset="kdd")
    assert [each.query for each in found.queries] == ["1", "3"]
    for each in found.queries:
        assert (each.items, each.n_positions) == (("0", "1", "2", "3", "4"), 3)
        assert each.shown is not None
        assert set(each.shown.impressions) == set(each.shown.clicks) == {1000}


def test_the_paper_s_yandex_filter(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log.txt", relpred_lines(SESSIONS))
    found = read(path, "yandex-relpred", preset="yandex")
    assert (len(found.queries), found.n_items) == (3, 10)
    assert len(read(path, "yandex-relpred", preset="yandex", n_queries=1).queries) == 1


def test_progress_never_falls_and_ends_at_one(table: Path) -> None:
    told: list[tuple[float | None, int | None]] = []
    read(table, "sessions", progress=lambda share, rows: told.append((share, rows)))
    shares = [share for share, _ in told if share is not None]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    n_rows = len(session_rows(SESSIONS))
    assert told[-1][1] == pytest.approx(n_rows, rel=0.1)  # an estimate, by the first lines


WRONG = [
    ({"format": "sesions"}, "unknown format 'sesions'; did you mean 'sessions'?"),
    ({"models": ["pmb"]}, "unknown click model 'pmb'; did you mean 'pbm'?"),
    ({"preset": "kd"}, "unknown preset 'kd'; did you mean 'kdd'?"),
    ({"backend": "duck"}, "unknown backend 'duck'; did you mean 'duckdb'?"),
    ({"held_out": 1.5}, r"held_out must be in \[0, 1\], got 1.5"),
    ({"held_out": 1.0}, "held_out must be below 1, got 1.0: nothing would be left to fit"),
    ({"max_bad": -1}, r"max_bad must be in \[0, 1\], got -1"),
    ({"n_threads": -1}, "n_threads must be >= 1, got -1"),
    ({"first_position": -1}, "first_position must be in 0..1, got -1"),
    ({"first_position": 2}, "first_position must be in 0..1, got 2"),
    ({"memory": "2"}, 'memory must be a size such as "2GB" or "500MB", got \'2\''),
    ({"n_positions": 64}, "n_positions must be in 1..the bits of a click mask, 63, got 64"),
    ({"preset": "kdd"}, "min_displays and min_items are for counts, the format 'sessions' holds"),
    ({"queries": ["8"]}, "query '8' is not in the log"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_arguments(table: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=rf"^{message}"):
        read(table, **{"format": "sessions", **options})


def test_counts_cannot_be_split(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "log.csv", count_table(SESSIONS))
    with pytest.raises(ArgumentError, match=r"held_out needs sessions, the format 'counts' holds"):
        read(path, "counts", models=["pbm"], held_out=0.2)


def test_tables_follow_from_models() -> None:
    models = ["pbm", "dcm", "sdbn", "dbn", "ccm"]
    assert tables_of(models, holds="sessions", format="sessions") == {"shown", "chains"}
    assert tables_of(["cm", "ubm"], holds="sessions", format="x") == {"first_click", "last_click"}


@pytest.mark.parametrize("model", sorted(set(registry.names()) - {"pbm"}))
def test_counts_are_enough_for_one_model_only(model: str) -> None:
    message = (
        f"^'{model}' is estimated from sessions and .* 'kdd' holds counts only; possible: pbm$"
    )
    with pytest.raises(ArgumentError, match=message):
        tables_of(["pbm", model], holds="counts", format="kdd")


@pytest.mark.parametrize("models", ["pbm", []])
def test_models_are_a_list(models: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^models must be a list of click models, got"):
        tables_of(models, holds="counts", format="kdd")
