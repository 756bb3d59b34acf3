"""The writing thread: groups, failures, the end."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.server.stores import SETTINGS, Click, opened, view
from unirank.server.group_commit import BESIDE, LOOK_EVERY, GroupCommit
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Committed, Store


class Recording(Store):
    """A store that waits, fails, and remembers its groups."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.database)
        self.groups: list[tuple[int, int]] = []
        self.may_go, self.fails = Event(), False
        self.may_go.set()

    def commit(self, views: Any, clicks: Sequence[Click] = (), final: Any = ()) -> Committed:
        self.may_go.wait(10)
        if self.fails:
            raise StoreUnavailable("the disk is full")
        views = list(views)
        self.groups.append((len(views), len(clicks)))
        return super().commit(views, clicks, final)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with opened(tmp_path / "g.sqlite") as plain:
        assert plain.create_page("page", SETTINGS) == 1
        yield Recording(plain)


def test_clicks_that_wait_are_written_together(store: Recording) -> None:
    async def send() -> list[Committed]:
        store.may_go.clear()
        clicks = (writer.commit([view(n)], [Click(n, 0)]) for n in range(1, 11))
        waiting = asyncio.gather(*clicks)
        await asyncio.sleep(0.05)
        store.may_go.set()
        return await waiting

    writer = GroupCommit(store)
    done = asyncio.run(send())
    writer.flush(5.0)
    assert all(Click(n, 0) in each.new for n, each in enumerate(done, 1))
    assert len(store.groups) <= 2


def test_of_two_requests_with_one_click_in_a_group_the_first_brought_it(store: Recording) -> None:
    async def send() -> list[Committed]:
        store.may_go.clear()
        waiting = asyncio.gather(
            *(writer.commit([view(1)], [Click(1, 0), Click(1, n)]) for n in (1, 2))
        )
        await asyncio.sleep(0.05)
        store.may_go.set()
        return await waiting

    writer = GroupCommit(store)
    writer.add(view(7))  # keeps the thread busy while both requests come
    first, second = asyncio.run(send())
    writer.flush(5.0)
    assert (first.new, second.new) == ({Click(1, 0), Click(1, 1)}, {Click(1, 2)})


def test_what_the_database_refuses_does_not_stop_the_others(store: Recording) -> None:
    async def send() -> list[Committed | BaseException]:
        shown = [view(1), view(2, page=99), view(3)]
        sent = (writer.commit([each], [Click(each.id, 0)]) for each in shown)
        return await asyncio.gather(*sent, return_exceptions=True)

    writer = GroupCommit(store)
    for number in range(10, 20):
        writer.add(view(number, page=99 if number == 15 else 1))
    done = asyncio.run(send())
    writer.flush(5.0)
    assert [isinstance(each, Committed) for each in done] == [True, False, True]
    assert (writer.n_behind, writer.n_dropped) == (0, 1)
    assert store.close_due(100) == 2 + 9


def test_a_click_is_not_acknowledged_before_the_commit(store: Recording) -> None:
    async def send() -> None:
        with pytest.raises(StoreUnavailable, match="in time"):
            await writer.commit([view(1)], [Click(1, 0)], timeout=0.1)

    writer = GroupCommit(store)
    store.may_go.clear()
    asyncio.run(send())
    assert store.groups == []
    store.may_go.set()
    writer.flush(5.0)


def test_what_nobody_waits_for_is_neither_kept_nor_written(store: Recording) -> None:
    async def send() -> None:
        first = asyncio.ensure_future(writer.commit([view(1)], [Click(1, 0)]))
        await asyncio.sleep(0.05)  # the thread is held up by it
        clicks = (writer.commit([view(n)], timeout=0.1) for n in range(2, 50))
        await asyncio.gather(*clicks, return_exceptions=True)
        await asyncio.sleep(2 * LOOK_EVERY)
        assert writer._waiting == []
        store.may_go.set()
        await first

    writer = GroupCommit(store)
    store.may_go.clear()
    asyncio.run(send())
    writer.flush(5.0)
    assert store.groups == [(1, 1)]


def test_reports_that_wait_are_bounded_however_many_a_request_brings(
    store: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unirank.server.group_commit.MOST_WAITING", 50 * (BESIDE + 2))

    async def send() -> list[Committed | BaseException]:
        store.may_go.clear()
        lists = [[view(n + each) for each in range(20)] for n in range(0, 100, 20)]
        waiting = asyncio.gather(*map(writer.commit, lists), return_exceptions=True)
        await asyncio.sleep(0.05)
        store.may_go.set()
        await waiting
        return [*await waiting, await writer.commit(lists[-1])]

    writer = GroupCommit(store)
    done = asyncio.run(send())
    writer.flush(5.0)
    assert [isinstance(each, Committed) for each in done] == [True, True, True, False, False, True]


def test_a_transaction_has_a_bounded_number_of_reports(
    store: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unirank.server.group_commit.AT_ONCE", 5 * (BESIDE + 2))

    async def send() -> None:
        await asyncio.gather(*(writer.commit([view(n), view(50 + n)]) for n in range(9)))

    writer = GroupCommit(store)
    asyncio.run(send())
    writer.flush(5.0)
    assert store.groups == [(4, 0), (4, 0), (4, 0), (4, 0), (2, 0)]


def test_views_behind_are_bounded_by_the_items_they_could_choose_from(
    store: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unirank.server.group_commit.MOST_BEHIND", 100_000)
    monkeypatch.setattr("unirank.server.group_commit.AT_ONCE", 10_000)
    store.fails = True
    writer = GroupCommit(store)
    for n in range(1, 1001):
        writer.add(view(n, available=["a"] * 990))
    assert writer.n_behind <= 100
    store.fails = False
    writer.flush(5.0)
    assert 1000 - writer.n_dropped == writer.n_behind + store.close_due(2000)


def test_requests_of_one_turn_wake_the_thread_once(
    store: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send() -> None:
        clicks = (writer.commit([view(n)], [Click(n, 0)]) for n in range(1, 11))
        await asyncio.gather(*clicks)

    writer = GroupCommit(store)
    handed: list[int] = []
    hand_over = writer._hand_over

    def counted() -> None:
        handed.append(len(writer._gathered))
        hand_over()

    monkeypatch.setattr(writer, "_hand_over", counted)
    asyncio.run(send())
    asyncio.run(send())  # in another loop
    writer.flush(5.0)
    assert handed == [10, 10]


def test_requests_of_a_loop_that_ended_do_not_hold_up_the_next(store: Recording) -> None:
    async def leave() -> None:
        asyncio.get_running_loop().stop()  # before anything is handed over
        await writer.commit([view(1)], [Click(1, 0)])

    async def send() -> Committed:
        return await writer.commit([view(2)], [Click(2, 0)])

    writer = GroupCommit(store)
    loop = asyncio.new_event_loop()
    with pytest.raises(RuntimeError, match="stopped"):
        loop.run_until_complete(leave())
    loop.close()
    assert asyncio.run(send()).new == {Click(2, 0)}
    writer.flush(5.0)


def test_nobody_is_looked_for_when_nobody_waits(store: Recording) -> None:
    async def send() -> None:
        for number in range(1, 6):
            await writer.commit([view(number)])
        assert writer._until == {}
        await asyncio.sleep(3 * LOOK_EVERY)
        assert not writer._is_looking

    writer = GroupCommit(store)
    asyncio.run(send())
    writer.flush(5.0)


def test_a_store_that_fails_fails_the_clicks_and_keeps_the_lists(
    store: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    async def send() -> None:
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            await writer.commit([view(1)], [Click(1, 0)])
        store.fails = False
        done = await writer.commit([view(1)], [Click(1, 0)])
        assert done.new == {Click(1, 0)}

    troubles: list[int] = []
    writer = GroupCommit(store, lambda: troubles.append(1))
    store.fails = True
    writer.add(view(7))
    asyncio.run(send())
    writer.flush(5.0)
    assert troubles
    assert "the database takes clicks again" in caplog.text
    assert store.close_due(10) == 2


def test_views_are_written_behind_and_all_of_them_at_the_end(store: Recording) -> None:
    writer = GroupCommit(store)
    for number in range(1, 101):
        writer.add(view(number))
    writer.flush(5.0)
    assert writer.n_behind == 0
    assert store.close_due(1000) == 100


def test_a_store_that_is_gone_does_not_keep_the_process(store: Recording) -> None:
    store.fails = True
    writer = GroupCommit(store)
    writer.add(view(1))
    writer.flush(5.0)
    assert not writer._thread.is_alive()
    assert writer.n_behind == 1


def test_a_view_that_is_being_written_is_not_written_yet(store: Recording) -> None:
    store.may_go.clear()
    writer = GroupCommit(store)
    writer.add(view(1))
    writer.flush(0.2)
    assert writer.n_behind == 1
    store.may_go.set()
    writer.flush(5.0)
    assert writer.n_behind == 0
