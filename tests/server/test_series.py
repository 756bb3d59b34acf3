"""Views and clicks over time."""

import asyncio

import pytest

from tests.server.stores import SETTINGS
from unirank.errors import ArgumentError
from unirank.server.api import (
    ClickReport,
    RankRequest,
)
from unirank.server.service import Service


def test_series_of_too_many_points_are_refused(service: Service) -> None:
    with pytest.raises(ArgumentError, match="at most 10000 points"):
        asyncio.run(service.series("p", 0.0, 1e9, 1.0))


def test_series_have_whole_steps_whenever_one_asks(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
        clock[0] += 4000.0
        service.closing.once()
        clock[0] += 1.0
        hour = clock[0] // 3600 * 3600
        for before in (4000.0, 2.0):
            found = await service.series("p", clock[0] - before, clock[0], 3600.0)
            assert [(each.at, each.arms["learner"].views) for each in found.points] == [(hour, 1)]
        with pytest.raises(ArgumentError, match="from must be at most to, got from=10 and to=5"):
            await service.series("p", 10.0, 5.0, 3600.0)

    asyncio.run(ask())
