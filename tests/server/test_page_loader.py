"""Pages that are brought into memory, which may take long."""

import asyncio
from pathlib import Path
from threading import Event
from time import sleep

import msgspec
import pytest

from tests.server.stores import SETTINGS, STARTED, service_on
from unirank.server.api import (
    ItemsChange,
    PageSettings,
    RankRequest,
)
from unirank.server.errors import NotLoaded
from unirank.server.loaded_pages import LoadedPage
from unirank.server.service import Service
from unirank.server.store.store import PageRow


@pytest.mark.parametrize(
    "settings",
    [STARTED, msgspec.structs.replace(SETTINGS, options={"start": ["d", "c"], "trust": 9})],
)
def test_a_page_whose_items_changed_is_loaded_by_a_new_process(
    service: Service, tmp_path: Path, settings: PageSettings
) -> None:
    async def ask(later: Service) -> None:
        await service.put_page("p", settings)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        assert (await later.rank("p", RankRequest())).items

    with service_on(tmp_path / "s.sqlite") as later:
        asyncio.run(ask(later))


def test_to_compile_a_policy_takes_as_long_as_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does for the first page of a policy, on a new machine."""

    async def ask(first: Service, later: Service) -> None:
        await first.put_page("p", SETTINGS)
        monkeypatch.setattr("unirank.server.in_time.STORE_TIMEOUT", 1.0)
        monkeypatch.setattr("unirank.server.loaded_pages.compile_policy", lambda _: sleep(1.5))
        assert (await later.rank("p", RankRequest())).items

    path = tmp_path / "c.sqlite"
    with service_on(path) as first, service_on(path) as later:
        asyncio.run(ask(first, later))


def test_a_page_with_a_long_log_is_loaded_once_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = list[str](), Event()

    async def ask(first: Service, later: Service) -> None:
        for name in "pqr":
            await first.put_page(name, SETTINGS)
        load = later.pages.load

        def slowly(name: str, row: PageRow | None = None) -> LoadedPage | None:
            begun.append(name)
            if name == "p":
                may_end.wait(10)
            return load(name, row)

        monkeypatch.setattr(later.pages, "load", slowly)
        with monkeypatch.context() as impatient:
            impatient.setattr("unirank.server.in_time.STORE_TIMEOUT", 0.2)
            for _ in range(8):  # each after the one before was told that it takes long
                with pytest.raises(NotLoaded, match="page 'p' is being loaded"):
                    await later.rank("p", RankRequest())
            assert begun == ["p"]
            await later.check_store()
            assert (await later.rank("q", RankRequest())).items
            found = await later.summaries("", 10)
            assert ([page.page for page in found.pages], found.loading[:1]) == (["q"], ["p"])
        assert begun.count("p") == 1
        may_end.set()
        assert (await later.rank("p", RankRequest())).items

    path = tmp_path / "l.sqlite"
    with service_on(path) as first, service_on(path) as later:
        asyncio.run(ask(first, later))


def test_a_page_with_more_items_than_may_be_asked_for_now_is_loaded(
    service: Service,
) -> None:
    async def ask() -> None:
        service.store.create_page("p", PageSettings(list(range(1001)), 2, policy="random"))
        assert len((await service.rank("p", RankRequest())).items) == 2

    asyncio.run(ask())
