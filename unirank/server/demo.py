"""`unirank serve --demo`: a page whose visitors are simulated, so that the dashboard moves at once.

They look at position k with chance LOOKS[k], and click on what they look at with the item's chance.
The first FAST visitors come 50 a second, later ones one a second: a demo that is left alone does
not fill the disk.
"""

import asyncio
import logging
from collections.abc import Sequence
from random import Random

from unirank.server.api import ClickReport, Holdout, PageSettings, RankRequest
from unirank.server.errors import NotFound
from unirank.server.service import Service
from unirank.server.store.database import StoreUnavailable
from unirank.server.view import ItemId

PAGE = "demo"
CHANCES = {
    "green tea": 0.33,
    "honey": 0.10,
    "teapot": 0.42,
    "tea towel": 0.05,
    "mug": 0.25,
    "strainer": 0.08,
    "gift box": 0.18,
    "spoon": 0.03,
}
NEW = 0.38  # chance of an item that somebody adds
LOOKS = (1.0, 0.7, 0.5, 0.35)
FAST = 20_000
PAUSE, AT_ONCE = 0.1, 5  # seconds between groups of visitors, and their number

SETTINGS = PageSettings(list(CHANCES), len(LOOKS), window_s=5.0, holdout=Holdout(0.2))
log = logging.getLogger("unirank.server")


def clicks_on(items: Sequence[ItemId], chance: Random) -> list[ItemId]:
    """What a visitor clicks in a ranking."""
    looks = zip(items, LOOKS, strict=True)
    return [item for item, look in looks if chance.random() < look * CHANCES.get(str(item), NEW)]


async def visit(service: Service, n_visitors: int, chance: Random) -> None:
    """Let some visitors come at once, and click."""
    shown = [await service.rank(PAGE, RankRequest()) for _ in range(n_visitors)]
    reports = [ClickReport(one.token, clicks_on(one.items, chance), final=True) for one in shown]
    await service.clicks(reports)


async def begun(service: Service) -> int:
    """Make the page if it is not there; return how many visitors it had."""
    try:
        page = await service.page(PAGE)
    except NotFound:
        await service.put_page(PAGE, SETTINGS)
        page = await service.page(PAGE)
    return page.learner.views


async def run_demo(service: Service) -> None:
    """Send visitors until cancelled; while the database does not answer, they wait."""
    chance, n_visitors = Random(), -1
    while True:
        fast = n_visitors < FAST
        try:
            if n_visitors < 0:
                n_visitors = await begun(service)
            await visit(service, AT_ONCE if fast else 1, chance)
            n_visitors += AT_ONCE if fast else 1
        except StoreUnavailable as error:
            log.warning("demo: %s", error)
        except Exception:
            log.exception("demo: no more visitors come")
            return
        await asyncio.sleep(PAUSE if fast else 1.0)
