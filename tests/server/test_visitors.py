"""Sessions with very many clicks."""

import asyncio

from tests.server.stores import SETTINGS
from unirank.server.api import (
    ClickReport,
    RankRequest,
    Rebuild,
    Without,
)
from unirank.server.service import Service


def test_a_robot_is_flagged_and_left_out(service: Service) -> None:
    async def ask() -> None:
        service.limits.clicks_per_session = 3
        await service.put_page("p", SETTINGS)
        for session in ("robot", "robot", "visitor"):
            shown = await service.rank("p", RankRequest(session=session))
            await service.clicks([ClickReport(shown.token, shown.items, final=True)])
        service.closing.once()
        found = await service.summary("p")
        assert (found.views, [each.clicks for each in found.flagged]) == (3, [4])
        without = Without(sessions=[found.flagged[0].session])
        assert (await service.rebuild("p", Rebuild(without))).left_out == 2
        service.closing.once()
        assert (await service.summary("p")).views == 1

    asyncio.run(ask())
