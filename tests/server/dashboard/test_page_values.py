"""A page as the template gets it."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.server.stores import SETTINGS, RankRequest, service_on
from unirank.server.api import ClickReport, ItemsChange
from unirank.server.dashboard.page_values import page_view
from unirank.server.errors import NotFound


def test_to_look_changes_nothing(tmp_path: Path) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        for _ in range(30):
            shown = await service.rank("p", RankRequest())
            await service.clicks([ClickReport(shown.token, shown.items[:1], final=True)])
        service.closing.once()
        page = await service.page("p")
        before = page.learner.to_bytes(), page.serving.policy.to_saved()
        view = await page_view(service, "p")
        assert (view["page"].views, view["state"]) == (30, "trying")
        assert view["order"] is not None
        assert view["strip"] is not None
        assert (page.learner.to_bytes(), page.serving.policy.to_saved()) == before

    with service_on(tmp_path / "s.sqlite") as service:
        asyncio.run(ask())


def test_a_frozen_page_has_the_frozen_order(tmp_path: Path) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("p", msgspec.structs.replace(SETTINGS, mode="frozen"))
        order = (await service.page("p")).serving.frozen
        await service.change_items("p", ItemsChange(add=["e"]))
        view = await page_view(service, "p")
        assert [place.items for place in view["order"].places] == [(item,) for item in order[:2]]
        assert [place.items for place in view["order"].below] == [(i,) for i in [*order[2:], "e"]]

    with service_on(tmp_path / "s.sqlite") as service:
        asyncio.run(ask())


def test_a_policy_without_leader_has_a_page_too(tmp_path: Path) -> None:
    async def ask() -> None:
        await service.put_page("p", msgspec.structs.replace(SETTINGS, policy="random"))
        view = await page_view(service, "p")
        assert (view["order"], view["comparisons"], view["pair_table"]) == (None, None, None)
        assert view["explanation"].tries is None
        with pytest.raises(NotFound):
            await page_view(service, "other")

    with service_on(tmp_path / "s.sqlite") as service:
        asyncio.run(ask())
