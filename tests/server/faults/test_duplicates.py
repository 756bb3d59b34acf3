"""A click that is sent several times, in any order, teaches what it teaches when sent once."""

import asyncio
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.server.stores import service_on
from unirank.server.api import ClickAnswer, ClickReport, PageSettings, RankRequest
from unirank.server.service import Service

SETTINGS = PageSettings(["a", "b", "c", "d", "e"], 3, policy="unirank", window_s=600.0)
N_RANKINGS = 200


async def shown_lists(service: Service) -> list[ClickReport]:
    """Rank, and decide what is clicked: one report per click."""
    await service.put_page("page", SETTINGS)
    chance, reports = Random(1), []
    for n in range(N_RANKINGS):
        shown = await service.rank("page", RankRequest(session=f"s{n % 50}"))
        reports += [
            ClickReport(shown.token, [item])
            for position, item in enumerate(shown.items)
            if chance.random() < 0.6 - 0.2 * position + 0.3 * (item == "c")
        ]
    return reports


async def sent(service: Service, reports: list[ClickReport]) -> list[ClickAnswer]:
    """All at once: many of them meet in one commit."""
    return await asyncio.gather(*(service.clicks([report]) for report in reports))


def state_after(path: Path | str, reports: list[ClickReport]) -> tuple[bytes, int]:
    """What the page has learnt when all windows are over, and how many clicks were new."""
    with service_on(path) as service:
        answers = asyncio.run(sent(service, reports))
        service.store.close_due(10**6, now=1e12)
        page = service.pages.load("page")
        assert page is not None
        return page.learner.to_bytes(), sum(answer.accepted for answer in answers)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[ClickReport]]:
    path = tmp_path_factory.mktemp("duplicates") / "begun.sqlite"
    with service_on(path) as service:
        reports = asyncio.run(shown_lists(service))
    return path, reports


@pytest.mark.parametrize("seed", range(3))
def test_clicks_sent_up_to_five_times_and_shuffled_teach_the_same(
    begun: tuple[Path, list[ClickReport]], tmp_path: Path, seed: int
) -> None:
    path, reports = begun
    once, often = (shutil.copy(path, tmp_path / name) for name in ("once", "often"))
    chance = Random(seed)
    copies = [report for report in reports for _ in range(chance.randint(1, 5))]
    chance.shuffle(copies)
    expected, n_clicks = state_after(once, reports)
    assert n_clicks == len(reports)
    assert state_after(often, copies) == (expected, n_clicks)


def test_a_click_less_teaches_something_else(
    begun: tuple[Path, list[ClickReport]], tmp_path: Path
) -> None:
    path, reports = begun
    all_, less = (shutil.copy(path, tmp_path / name) for name in ("all", "less"))
    assert state_after(all_, reports)[0] != state_after(less, reports[:-1])[0]
