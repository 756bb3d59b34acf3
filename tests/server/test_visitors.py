"""Sessions with very many clicks."""

import asyncio

from tests.server.stores import SETTINGS, view
from unirank.server.api import (
    ClickReport,
    RankRequest,
    Rebuild,
    Without,
)
from unirank.server.limits import Limits
from unirank.server.service import Service
from unirank.server.store.store import Click
from unirank.server.visitors import Visitors


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


def test_sessions_of_today_and_flagged_ones_are_kept(service: Service, clock: list[float]) -> None:
    now, limits = clock[0], Limits(clicks_per_session=1)
    seen = [(b"robot", now - 3 * 86400.0, 2), (b"old", now - 3 * 86400.0, 1), (b"new", now, 1)]
    number = service.store.create_page("p", SETTINGS)
    assert number is not None
    for id_, (session, at, n_clicks) in enumerate(seen, 1):
        shown = view(id_, page=number, session=session, shown_at=at - 600.0, expires_at=at)
        service.store.commit([shown], [Click(id_, position) for position in range(n_clicks)])
        service.store.close_due(10, at)
    visitors = Visitors(service.store, limits)
    visitors.forget()
    everyone = Visitors(service.store, Limits(clicks_per_session=0)).flagged(number)
    assert [bytes.fromhex(each.session) for each in everyone] == [b"robot", b"new"]
    assert [bytes.fromhex(each.session) for each in visitors.flagged(number)] == [b"robot"]
