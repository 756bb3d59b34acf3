import resource
from pathlib import Path

import pytest

from tests.server.stores import SETTINGS, Click, opened, view
from unirank.errors import ArgumentError
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.sqlite import SqliteDatabase, SqliteSession


def test_a_commit_waits_for_the_disk_and_readers_do_not_wait_for_it(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        assert isinstance(store.database, SqliteDatabase)
        for connection in (store.database._writer, store.database._reader):
            assert connection.pragma("journal_mode") == "wal"
            assert connection.pragma("synchronous") == 2  # FULL
            assert connection.pragma("foreign_keys") == 1


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        with pytest.raises(KeyError), store.database.transaction() as session:
            session.run("lease", n=100) and session.run("no such statement")
        assert store.lease(1) == 1


def test_places_of_an_older_version_become_few(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        assert isinstance(store.database, SqliteDatabase)
        assert store.create_page("page", SETTINGS) == 1
        store.commit([view(1, place=5000), view(2, place=7)])
        store.save_snapshots([(1, 1, b"places")])
        store.database._writer.execute("DELETE FROM migration WHERE number = 5")
        store.database.migrate()
        store.close_due(10, now=2000.0)
        places = [entry.view.place for entry in store.log_after(1) if entry.view]
        assert (places, store.snapshot(1)) == ([5000 % 1024, 7], None)


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("views_of", "COVERING INDEX ranking_page (page=? AND shown_at>? AND shown_at<?)"),
        ("left_out", "INDEX ranking_left_out (page=?)"),
        ("turn_views", "INTEGER PRIMARY KEY"),
        ("turn_outcomes", "INDEX sqlite_autoindex_log_1 (ranking=?)"),
    ],
)
def test_a_rebuild_reads_no_view_that_it_does_not_name(
    tmp_path: Path, name: str, index: str
) -> None:
    values = {"page": 1, "first": 0.0, "until": 1.0, "every_session": 1, "sessions": "[]"}
    with opened(tmp_path / "p.sqlite") as store:
        assert isinstance(store.database, SqliteDatabase)
        text = "EXPLAIN QUERY PLAN " + SqliteSession.statements[name]
        steps = store.database._reader.execute(text, {**values, "ids": "[]"}).fetchall()
        assert index in str(steps[0][3])


def test_views_that_an_older_version_left_out_are_of_flagged_visitors(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        assert isinstance(store.database, SqliteDatabase)
        assert store.create_page("page", SETTINGS) == 1
        store.commit([view(1, session=b"robot")], [Click(1, 0)])
        store.close_due(10, now=2000.0)
        run = store.database._writer.execute
        run("UPDATE ranking SET left_out = 1")
        run("DROP INDEX ranking_page; DROP INDEX ranking_left_out")
        run("DELETE FROM migration WHERE number = 8")
        store.database.migrate()
        assert store.busiest_visitors(1, 0) == [(b"robot", 1, 1, 2000.0, True)]


def test_a_salt_that_was_deleted_is_in_no_file(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        salts = [store.secret(f"salt 2026-11-{day}") for day in range(10, 20)]
        store.forget_salts("salt 2026-11-19")
        written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert [salt in written for salt in salts] == [False] * 9 + [True]


def test_a_full_disk_is_a_passing_state(tmp_path: Path) -> None:
    with opened(tmp_path / "p.sqlite") as store:
        assert isinstance(store.database, SqliteDatabase)
        writer = store.database._writer
        writer.pragma("max_page_count", writer.pragma("page_count"))
        with pytest.raises(StoreUnavailable, match="full"):
            store.secret("large", 100_000)
        writer.pragma("max_page_count", 10**6)
        assert len(store.secret("large", 100_000)) == 100_000


def test_a_store_without_room_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite"
    with opened(path) as store:
        n_bytes = path.with_name("p.sqlite-wal").stat().st_size
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
        try:
            with pytest.raises(StoreUnavailable, match="does not answer"):
                store.check()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        store.check()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(ArgumentError, match=r"a file of SQLite, or a new name, got '.*notes.txt'"):
        SqliteDatabase(tmp_path / "notes.txt")
