"""Simulated visitors: they click by their chances, and the page learns."""

import asyncio
from pathlib import Path
from random import Random

from tests.server.stores import service_on
from unirank.server.demo import CHANCES, LOOKS, PAGE, SETTINGS, begun, clicks_on, run_demo, visit


def test_visitors_click_by_their_chances() -> None:
    chance = Random(1)
    items = ["teapot", "green tea", "mug", "gift box"]
    n = 4000
    clicked = [clicks_on(items, chance) for _ in range(n)]
    for item, look in zip(items, LOOKS, strict=True):
        share = sum(item in clicks for clicks in clicked) / n
        assert abs(share - look * CHANCES[item]) < 0.03  # four standard deviations


def test_todays_order_can_be_improved() -> None:
    worth = [sum(map(float.__mul__, LOOKS, chances)) for chances in (
        [CHANCES[str(item)] for item in SETTINGS.items[: len(LOOKS)]],
        sorted(CHANCES.values(), reverse=True)[: len(LOOKS)],
    )]  # fmt: skip
    assert worth[1] > 1.3 * worth[0]


def test_the_page_is_made_once_and_its_visitors_are_learnt_from(tmp_path: Path) -> None:
    async def play() -> None:
        assert await begun(service) == 0
        await visit(service, 40, Random(1))
        service.closing.once()
        assert await begun(service) == 40
        assert (await service.page(PAGE)).learner.totals.keys() == {"learner", "holdout"}

    with service_on(tmp_path / "s.sqlite") as service:
        asyncio.run(play())


def test_it_runs_until_it_is_cancelled(tmp_path: Path) -> None:
    async def play() -> None:
        task = asyncio.create_task(run_demo(service))
        while not service.writer.n_behind and not service.store.last_number():
            await asyncio.sleep(0.01)
        while service.store.close_due(100) == 0:
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()

    with service_on(tmp_path / "s.sqlite") as service:
        asyncio.run(asyncio.wait_for(play(), 30))
