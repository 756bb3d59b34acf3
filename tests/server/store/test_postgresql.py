"""What only PostgreSQL can get wrong: several processes at once. `test_store.py` has the rest."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Any

import psycopg
import pytest

from tests.server.cluster import Cluster, cluster, needs_postgresql
from tests.server.stores import SETTINGS, Click, opened, view
from unirank.server.keys import Keys
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.opening import open_store
from unirank.server.store.postgresql import PostgresqlDatabase, PostgresqlSession
from unirank.server.store.store import Part, Store

pytestmark = needs_postgresql


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster("-c fsync=off") as started:
        yield started


def close_two_at_once(server: Cluster, name: str) -> list[int]:
    """Two closers; the first has not committed yet when the second begins. Numbers of the log."""
    with opened(server.url(name)) as one, opened(server.url(name)) as two:
        assert one.create_page("page", SETTINGS) == 1
        one.commit([view(1), view(2)])
        begun, may_end = Event(), Event()

        def first() -> None:
            with one.database.transaction() as session:
                session.run("lock_log")
                ids = [id_ for (id_,) in session.run("due_views", now=2000.0, most=1)]
                session.run("close_views", ids=ids, now=2000.0)
                session.run("mark_closed", ids=ids)
                begun.set()
                may_end.wait(10)

        thread = Thread(target=first)
        thread.start()
        begun.wait(10)
        with ThreadPoolExecutor(1) as pool:
            second = pool.submit(two.close_due, 10, 2000.0)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.3)  # it waits
            may_end.set()
            thread.join()
            assert second.result(timeout=10) == 1
        return [entry.number for entry in two.log_after(0)]


def test_numbers_of_the_log_are_committed_in_order(server: Cluster) -> None:
    assert close_two_at_once(server, "ordered") == [1, 2, 3]


def test_without_the_lock_that_fails(server: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PostgresqlSession.statements, "lock_log", "SELECT 1;")
    with pytest.raises(Exception, match="duplicate key value"):
        close_two_at_once(server, "unordered")


def test_a_click_that_is_being_written_is_in_the_outcome(server: Cluster) -> None:
    with opened(server.url("late")) as one, opened(server.url("late")) as two:
        assert one.create_page("page", SETTINGS) == 1
        one.commit([view(1)])
        with one.database.transaction() as session:
            assert session.run("open_views", ids=[1]) == [(1, 1, 1000.0)]
            assert two.close_due(10, now=2000.0) == 0  # the closer leaves it for its next turn
            session.run("insert_clicks", clicks="[[1, 0]]", now=1.0)
        assert two.close_due(10, now=2000.0) == 1
        assert two.log_after(1)[0].clicks == (0,)


def test_a_click_waits_for_the_closer_and_is_late(server: Cluster) -> None:
    with opened(server.url("after")) as one, opened(server.url("after")) as two:
        assert one.create_page("page", SETTINGS) == 1
        one.commit([view(1)])
        pool = ThreadPoolExecutor(1)
        with one.database.transaction() as session:
            assert session.run("due_views", now=2000.0, most=1) == [(1,)]
            click = pool.submit(two.commit, [view(1)], [Click(1, 0)])
            with pytest.raises(TimeoutError):
                click.result(timeout=0.3)
            session.run("close_views", ids=[1], now=2000.0)
            session.run("mark_closed", ids=[1])
        assert click.result(timeout=10) == (set(), set(), set(), set())
        pool.shutdown()


def test_the_same_clicks_in_other_orders_do_not_wait_in_a_ring(server: Cluster) -> None:
    ids = list(range(1, 41))
    with opened(server.url("ring")) as one, opened(server.url("ring")) as two:
        assert one.create_page("page", SETTINGS) == 1

        def send(store: Store, order: list[int]) -> int:
            shown = [view(id_) for id_ in order]
            return len(store.commit(shown, [Click(id_, 0) for id_ in order], order).new)

        with ThreadPoolExecutor(2) as pool:
            sent = [
                pool.submit(send, store, order)
                for _ in range(10)
                for store, order in ((one, ids), (two, ids[::-1]))
            ]
            assert sum(each.result(timeout=20) for each in sent) == len(ids)


def test_a_rebuild_and_clicks_do_not_wait_in_a_ring(server: Cluster) -> None:
    with opened(server.url("parts")) as one, opened(server.url("parts")) as two:
        assert one.create_page("page", SETTINGS) == 1
        one.commit([view(id_, session=bytes([id_])) for id_ in (5, 9)])
        parts = [Part(["09"]), Part(["05"])]
        with ThreadPoolExecutor(1) as pool:
            with one.database.transaction() as session:
                session.run("open_views", ids=[5])
                rebuilt = pool.submit(two.rebuild_page, 1, {"rebuild": {}}, parts)
                with pytest.raises(TimeoutError):
                    rebuilt.result(timeout=0.3)  # it waits for the row of 5
                session.run("open_views", ids=[9])
            done = rebuilt.result(timeout=10)
        assert done is not None
        assert done.n_left_out == 2


@pytest.mark.parametrize("name", ["change_page", "forget_visitors"])
def test_who_needs_the_lock_of_the_log_takes_it_before_any_row(server: Cluster, name: str) -> None:
    with opened(server.url(name)) as one, opened(server.url(name)) as two:
        assert one.create_page("page", SETTINGS) == 1
        one.commit([view(1, session=b"s")], final=[1])
        one.close_due(10)
        values: tuple[Any, ...] = (1, {}, SETTINGS) if name == "change_page" else (1e12, 9)
        with ThreadPoolExecutor(1) as pool:
            with one.database.transaction() as session:
                session.run("lock_log")
                waiting = pool.submit(getattr(two, name), *values)
                with pytest.raises(TimeoutError):
                    waiting.result(timeout=0.3)
                session.run("delete_page", name="page", now=1.0)  # the row is free, ...
                session.run("count_visitors", ids=[1], now=1.0)  # ... and this one
            waiting.result(timeout=10)


def test_two_processes_migrate_at_once(server: Cluster) -> None:
    address = server.url("fresh")
    with ThreadPoolExecutor(2) as pool:
        stores = list(pool.map(open_store, [address, address]))
    assert [store.lease(1) for store in stores] == [1, 2]
    for store in stores:
        store.close()


def test_of_processes_that_begin_at_once_one_makes_the_first_key(server: Cluster) -> None:
    with opened(server.url("keys")) as one, opened(server.url("keys")) as two:
        keys = Keys(two)
        with ThreadPoolExecutor(1) as pool:
            with one.database.transaction() as session:
                session.run("lock_log")
                second = pool.submit(keys.create_first)
                with pytest.raises(TimeoutError):
                    second.result(timeout=0.3)
                session.run("insert_key", id="1", hash=b"", scopes="admin", note="", now=1.0)
            assert second.result(timeout=10) is None
        assert [key.id for key in keys] == ["1"]


def test_a_server_that_is_gone_is_a_passing_state() -> None:
    with cluster("-c fsync=off") as server, opened(server.url()) as store:
        assert store.lease(1) == 1
        with store.database.reading(), store.database.reading():
            pass  # two connections
        server.stop("immediate")
        with pytest.raises(StoreUnavailable, match="does not answer"):
            store.lease(1)
        server.start()
        assert store.lease(1) == 2


def test_a_server_that_only_reads_is_a_passing_state(server: Cluster) -> None:
    address = server.url("standby")
    with opened(address) as store, psycopg.connect(address, autocommit=True) as other:
        store.create_page("page", SETTINGS)
        other.execute("ALTER DATABASE standby SET default_transaction_read_only = on")
        store.database.close()  # connections of before
        for write in (store.check, lambda: store.commit([view(1)], [Click(1, 0)])):
            with pytest.raises(StoreUnavailable, match="read-only"):
                write()
        other.execute("ALTER DATABASE standby RESET default_transaction_read_only")
        store.check()
        assert store.commit([view(1)], [Click(1, 0)]).new == {Click(1, 0)}


def test_a_migration_is_kept_when_the_next_one_fails(
    server: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, wrong = (9001, "CREATE TABLE one (number bigint)"), (9002, "SELECT 1 / 0")
    monkeypatch.setattr("unirank.server.store.postgresql.migrations", lambda _: [one, wrong])
    address = server.url("migrated")
    database = PostgresqlDatabase(address)
    with pytest.raises(psycopg.errors.DivisionByZero):
        database.migrate()
    database.close()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT number FROM migration").fetchall() == [(9001,)]
