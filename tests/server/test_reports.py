"""What is reported of views: shown, clicked."""

import asyncio
from pathlib import Path
from time import time

import msgspec
import pytest

from tests.server.stores import SETTINGS, service_on, windows_over
from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickReport,
    PageSettings,
    RankRequest,
)
from unirank.server.errors import NotFound
from unirank.server.service import Service
from unirank.server.view import ItemId


def test_a_click_brings_back_a_view_that_was_lost(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))  # nobody writes it
        answer = await service.clicks([ClickReport(shown.token, shown.items[:1], final=True)])
        assert answer.accepted == 1
        service.closing.once()
        assert (await service.summary("p")).clicks == 1

    asyncio.run(ask())


def test_a_deferred_view_that_is_shown_days_later_can_be_clicked(
    service: Service, clock: list[float]
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))
        clock[0] += 6 * 86400
        await service.shown(shown.token)
        clock[0] += SETTINGS.window_s - 1
        assert (await service.clicks([ClickReport(shown.token, shown.items[:1])])).accepted == 1
        clock[0] += 2
        service.closing.once()
        assert (await service.clicks([ClickReport(shown.token, shown.items[1:])])).late == 1
        found = await service.summary("p")
        assert (found.views, found.clicks) == (1, 1)

    asyncio.run(ask())


def test_a_view_is_deferred_for_a_week_at_most(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest(defer=True))
        clock[0] += 8.5 * 86400
        words = "asked for at most 7 days ago, got one of 8.5 days ago: ask for a new view"
        with pytest.raises(ArgumentError, match=words):
            await service.shown(shown.token)
        assert (await service.clicks([ClickReport(shown.token, shown.items[:1])])).late == 1

    asyncio.run(ask())


def test_a_report_of_the_longest_token_is_taken(service: Service) -> None:
    items: list[ItemId] = [f"{n:0100}" for n in range(455)]

    async def ask() -> None:
        await service.put_page("p", PageSettings(items, 2, policy="random"))
        shown = await service.rank("p", RankRequest(items))
        report = ClickReport(shown.token, shown.items[:1])
        assert 60_000 < len(shown.token) <= 64_000
        assert len(msgspec.json.encode(report)) < 64 * 1024
        assert msgspec.json.decode(msgspec.json.encode(report), type=ClickReport) == report

    asyncio.run(ask())


def test_only_a_deferred_view_is_reported_as_shown(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        with pytest.raises(ArgumentError, match="it counts without this report"):
            await service.shown(shown.token)

    asyncio.run(ask())


def test_a_final_report_without_clicks_teaches_that_nothing_was_clicked(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        answer = await service.clicks([ClickReport(shown.token, [], final=True)])
        assert (answer.accepted, answer.late) == (0, 0)
        service.closing.once()
        found = await service.summary("p")
        assert (found.views, found.clicks) == (1, 0)

    asyncio.run(ask())


def test_a_final_report_teaches_at_once_and_is_compared_when_its_window_is_over(
    service: Service,
) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        report = ClickReport(shown.token, shown.items[:1], final=True)
        assert (await service.clicks([report, report])).accepted == 1
        service.closing.once()
        now = time()
        found = await service.summary("p")
        assert (found.views, found.clicks, found.lift.waiting, found.lift.arms) == (1, 1, 1, {})
        assert (await service.series("p", now - 900, now + 900, 900)).points == []
        later = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(later.token, later.items[:1])])
        windows_over(service)
        found = await service.summary("p")
        compared = sum(arm.views for arm in found.lift.arms.values())
        assert (found.views, found.lift.waiting, compared) == (2, 0, 2)

    asyncio.run(ask())


def test_a_click_on_something_else_is_rejected_and_the_rest_counts(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        good = ClickReport(shown.token, shown.items[:1])
        answer = await service.clicks([ClickReport(shown.token, ["mug"]), good])
        assert answer.accepted == 1
        assert [each.index for each in answer.rejected] == [0]
        assert "clicks must be among the shown" in answer.rejected[0].reason

    asyncio.run(ask())


@pytest.mark.parametrize("durable", [False, True])
def test_views_of_a_deleted_page_are_refused_and_others_count(
    service: Service, tmp_path: Path, durable: bool
) -> None:
    async def ask(other: Service) -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("q", SETTINGS)
        shown = [await other.rank(name, RankRequest(defer=True)) for name in "pqp"]
        await service.delete_page("p")
        answer = await other.clicks([ClickReport(each.token, each.items) for each in shown])
        assert (answer.accepted, answer.duplicate, answer.late) == (2, 0, 0)
        assert [each.index for each in answer.rejected] == [0, 2]
        assert answer.rejected[0].reason == "the page of this view was deleted"
        with pytest.raises(NotFound, match="was deleted"):
            await other.shown(shown[0].token)
        if durable:
            with pytest.raises(NotFound, match="was deleted"):
                await other.rank("p", RankRequest())
        with pytest.raises(NotFound):
            await service.delete_page("p")

    with service_on(tmp_path / "s.sqlite", durable_views=durable) as other:
        asyncio.run(ask(other))


def test_a_click_on_a_view_whose_number_was_given_again_is_rejected(service: Service) -> None:
    async def ask() -> None:
        for name in "pq":
            await service.put_page(name, SETTINGS)
        lists = []
        for name in "pq":  # as after a backup was restored, or a failover lost the lease
            service.leases._next = 7
            lists.append(await service.rank(name, RankRequest()))
        await service.clicks([ClickReport(lists[0].token, [])])
        answer = await service.clicks([ClickReport(each.token, each.items) for each in lists[1:]])
        assert (answer.accepted, answer.late) == (0, 0)
        assert "is another view's now" in answer.rejected[0].reason

    asyncio.run(ask())
