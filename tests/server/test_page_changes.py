"""Changes of pages, one after the other and at once."""

import asyncio
from operator import attrgetter
from pathlib import Path
from threading import get_ident
from time import sleep, time
from typing import Any

import msgspec
import pytest

from tests.server.stores import SETTINGS, STARTED, service_on, visited
from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickReport,
    ItemsChange,
    PageRequest,
    PageSummary,
    RankRequest,
    Rebuild,
    Without,
)
from unirank.server.errors import Conflict
from unirank.server.service import Service
from unirank.server.view import ItemId


@pytest.mark.parametrize("change", [{"window_s": 5.0}, {"mode": "frozen"}])
def test_a_lift_goes_on_after_items_and_settings_changed(
    service: Service, change: dict[str, Any]
) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await visited(service, 10)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        items: list[ItemId] = ["a", "b", "d", "e"]
        await service.put_page("p", PageRequest(items, 2, **change))
        await service.put_page("p", PageRequest(items, 2, mode="learn"))
        await visited(service, 10)
        found = await service.summary("p")
        assert found.settings.start == ["d", "b", "a", "e"]
        assert (found.lift.left_out, sum(arm.views for arm in found.lift.arms.values())) == (0, 20)

    asyncio.run(ask())


def test_an_item_that_comes_back_has_its_old_place_in_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.change_items("p", ItemsChange(remove=["c"]))
        await service.put_page("p", PageRequest(["a", "b", "d"], 2, window_s=5.0))
        found = await service.change_items("p", ItemsChange(add=["c"]))
        assert found.settings.start == STARTED.start

    asyncio.run(ask())


def test_another_start_is_another_comparison_though_items_changed(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await visited(service, 3)
        await service.change_items("p", ItemsChange(add=["e"]))
        await service.put_page("p", PageRequest(list("abcde"), 2, start=list("edcba")))
        assert (await service.summary("p")).lift.left_out == 3

    asyncio.run(ask())


def test_of_two_changes_at_once_neither_is_lost(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        sent: list[dict[str, Any]] = [{"window_s": 5.0}, {"mode": "observe"}]
        changes = (service.put_page("p", PageRequest(SETTINGS.items, 2, **each)) for each in sent)
        await asyncio.gather(*changes)
        found = (await service.summary("p")).settings
        assert (found.window_s, found.mode) == (5.0, "observe")

    asyncio.run(ask())


def test_changes_at_once_leave_as_many_items_as_are_shown(service: Service) -> None:
    async def ask() -> list[PageSummary | BaseException]:
        await service.put_page("p", SETTINGS)
        removals = (ItemsChange(remove=[item]) for item in SETTINGS.items)
        changes = [service.change_items("p", each) for each in removals]
        return await asyncio.gather(*changes, return_exceptions=True)

    found = asyncio.run(ask())
    assert sum(isinstance(each, ArgumentError) for each in found) == 2
    assert len(asyncio.run(service.summary("p")).items) == 2


def test_who_is_never_first_is_told_to_try_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        monkeypatch.setattr(service.store, "change_page", lambda *_: None)
        with pytest.raises(Conflict, match="changed by others all the time: send the change again"):
            await service.change_items("p", ItemsChange(add=["e"]))

    asyncio.run(ask())


def test_a_change_of_items_is_tried_beside_the_event_loop(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()
    monkeypatch.setattr("unirank.server.page_rules._each", lambda *_: threads.add(get_ident()))

    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.change_items("p", ItemsChange(add=["e"]))

    asyncio.run(ask())
    assert threads
    assert get_ident() not in threads


def test_settings_that_change_nothing_leave_no_trace_in_the_log(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("p", SETTINGS)

    asyncio.run(ask())
    assert service.store.last_number() == 1


def test_a_rebuild_names_exactly_what_is_left_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        for session in ("robot", "visitor", "other"):
            shown = await service.rank("p", RankRequest(session=session))
            await service.clicks([ClickReport(shown.token, shown.items, final=True)])
        service.closing.once()
        robot, visitor = (
            service.sessions.hashed(name, time()).hex() for name in ("robot", "visitor")
        )
        for parts, n_views in (
            ([Without(sessions=[robot])], 2),
            ([Without(sessions=[robot]), Without(sessions=[visitor])], 1),
            ([Without(from_=0.0)], 0),
            (Without(), 3),
        ):
            asked = Rebuild(parts)
            assert (await service.rebuild("p", asked)).left_out == 3 - n_views
            service.closing.once()
            found = await service.summary("p")
            named = [msgspec.structs.replace(part, to=None) for part in found.without]
            assert (found.views, named) == (n_views, asked.parts)

    asyncio.run(ask())


@pytest.mark.parametrize("later", [None, 9e9])
def test_a_rebuild_named_again_means_the_same_lists(service: Service, later: float | None) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        asked = [Without(from_=0.0, to=later)]
        for _ in range(2):
            shown = await service.rank("p", RankRequest(session="visitor"))
            await service.clicks([ClickReport(shown.token, shown.items)])
            assert (await service.rebuild("p", Rebuild(asked))).left_out == 1
            service.pages.catch_up()
            asked = (await service.summary("p")).without

    asyncio.run(ask())


def test_a_rebuild_of_times_to_come_leaves_nothing_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.rebuild("p", Rebuild(Without(from_=9e9)))
        assert (await service.summary("p")).without == []

    asyncio.run(ask())


def test_of_two_rebuilds_that_leave_out_more_neither_undoes_the_other(
    service: Service, tmp_path: Path
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        await other.page("p")
        parts = [Without(from_=float(n), to=n + 0.5) for n in range(4)]
        await service.rebuild("p", Rebuild(parts[:1]), more=True)
        await other.rebuild("p", Rebuild(parts[1]), more=True)
        await asyncio.gather(
            service.rebuild("p", Rebuild(parts[2]), more=True),
            other.rebuild("p", Rebuild(parts[3]), more=True),
        )
        service.pages.catch_up()
        found = (await service.summary("p")).without
        assert sorted(found, key=attrgetter("from_")) == parts

    with service_on(tmp_path / "s.sqlite") as other:
        asyncio.run(ask(other))


def test_a_rebuild_that_takes_long_is_waited_for(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(service.put_page("p", SETTINGS))
    monkeypatch.setattr("unirank.server.in_time.STORE_TIMEOUT", 0.5)
    rebuild_page = service.store.rebuild_page

    def slow(*values: Any) -> Any:
        sleep(0.6)
        return rebuild_page(*values)

    monkeypatch.setattr(service.store, "rebuild_page", slow)
    last = service.store.last_number()
    assert asyncio.run(service.rebuild("p", Rebuild())).number == last + 1


def test_a_rebuild_says_which_sessions_it_does_not_know(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        answer = await service.rebuild("p", Rebuild(Without(sessions=["0a0b"])))
        assert (answer.left_out, answer.unknown) == (0, ["0a0b"])
        with pytest.raises(ArgumentError, match="from must be at most to, got from=10 and to=5"):
            await service.rebuild("p", Rebuild(Without(from_=10.0, to=5.0)))

    asyncio.run(ask())


def test_a_name_whose_page_another_process_deleted_begins_anew(
    service: Service, tmp_path: Path
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        old = (await other.page("p")).row.number
        await service.delete_page("p")
        assert (await other.put_page("p", SETTINGS)).created
        assert (await other.page("p")).row.number != old

    with service_on(tmp_path / "s.sqlite") as other:
        asyncio.run(ask(other))
