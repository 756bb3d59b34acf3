"""A database of the service before MatchRank had `least_doubt`: its pages show what they showed.

`before_0_2_0/matchrank.msgpack.zlib` holds the database, and the 2,000 lists that its page `shop`
gave next. MatchRank had learnt from 400,000 views there, so that a least doubt of 1/250 gives other
lists.
"""

import asyncio
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.stores import opened, service_on
from unirank.server.api import PageRequest, PageSettings
from unirank.server.errors import Conflict
from unirank.server.first_matchrank import settings_meant
from unirank.server.learner import Learner, Snapshot
from unirank.server.loaded_pages import unpacked
from unirank.server.service import Service
from unirank.server.view import ItemId

PACKED = Path(__file__).parent / "before_0_2_0" / "matchrank.msgpack.zlib"
BEFORE: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(PACKED.read_bytes()))
FIRST = {"least_doubt": 0.0}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "before.sqlite"
    path.write_bytes(BEFORE["sqlite"])
    return path


@pytest.fixture
def old(file: Path) -> Iterator[Service]:
    with service_on(file) as service:
        yield service


def lists_of(learner: Learner) -> list[str]:
    policy = learner.policy.without_rounds()
    return ["".join(map(str, policy.rank_at(n).items)) for n in range(1, 2001)]


def test_settings_of_matchrank_pages_have_the_least_doubt_that_they_were_made_with(
    old: Service,
) -> None:
    pages = {row.name: msgspec.json.decode(row.settings) for row in old.store.pages()}
    assert {name: page["options"] for name, page in pages.items()} == {
        "shop": FIRST,
        "plain": {"half_life": 100.0, **FIRST},
        "null": FIRST,
        "other": {},
    }
    assert pages["null"]["items"] == ["\0", "b", "c"]
    assert pages["other"]["items"][0] == 'a\0"policy":"matchrank","options":{'
    changes = [entry.change for entry in old.store.log_after(0)]
    options = [change["settings"]["options"] for change in changes if change]
    assert options == [FIRST, {"half_life": 100.0, **FIRST}, {}, FIRST, FIRST]


def test_a_page_gives_the_lists_that_it_gave(old: Service) -> None:
    row = old.store.page("shop")
    assert row is not None
    cursor, state = old.store.snapshot(row.number) or (0, b"")
    learner = Learner.from_bytes(row, cursor, unpacked(state))
    assert learner.settings.options == FIRST
    assert learner.policy.options == {"propensity": "none", **FIRST}
    assert lists_of(learner) == BEFORE["lists"]
    saved = msgspec.msgpack.decode(unpacked(state), type=Snapshot)
    assert learner.policy.to_snapshot().statistics == saved.policy.statistics
    saved.policy.algorithm = 2  # and so with today's least doubt
    now = Learner.from_bytes(row, cursor, msgspec.msgpack.encode(saved))
    assert lists_of(now) != BEFORE["lists"]


def test_its_snapshot_of_now_and_its_log_give_the_same_least_doubt(old: Service) -> None:
    row = old.store.page("shop")
    assert row is not None
    replayed = Learner(row)
    for entry in old.store.page_log_after(row.number, 0):
        replayed.fold(entry)
    assert replayed.settings.options == FIRST
    again = Learner.from_bytes(row, replayed.cursor, replayed.to_bytes())
    for learner in (replayed, again):
        assert learner.policy.options == {"propensity": "none", **FIRST}


def test_a_shop_that_sends_its_page_again_changes_nothing(old: Service) -> None:
    items: list[ItemId] = ["a", "b", "c", "d", "e"]
    n_entries = len(old.store.log_after(0))

    async def ask() -> None:
        assert not (await old.put_page("shop", PageRequest(items, 3, options={}))).created
        assert not (await old.put_page("shop", PageRequest(items, 3, options=FIRST))).created
        assert len(old.store.log_after(0)) == n_entries
        await old.put_page("shop", PageRequest(items, 3, options={}, window_s=30.0))
        settings = (await old.page("shop")).serving.settings
        assert (settings.window_s, settings.options) == (30.0, FIRST)
        with pytest.raises(Conflict, match=r"has options \{'least_doubt': 0.0\}, got"):
            await old.put_page("shop", PageRequest(items, 3, options={"least_doubt": 0.004}))

    asyncio.run(ask())


def test_a_page_that_is_new_has_todays_least_doubt(old: Service) -> None:
    async def ask() -> None:
        assert (await old.put_page("new", PageRequest(["a", "b", "c"], 2))).created
        serving = (await old.page("new")).serving
        assert serving.settings.options == {}
        assert serving.policy.options["least_doubt"] == 1 / 250
        with pytest.raises(Conflict, match=r"has options \{\}, got"):
            await old.put_page("new", PageRequest(options=FIRST))

    asyncio.run(ask())


def test_a_database_is_migrated_once(file: Path) -> None:
    for _ in range(2):
        with opened(file) as store:
            row = store.page("shop")
            assert row is not None
            assert row.settings.count(b"least_doubt") == 1


def test_options_mean_more_on_a_page_of_the_first_matchrank_only() -> None:
    sent = PageSettings(["a", "b"], 1, options={"half_life": 9.0})
    first = msgspec.structs.replace(sent, options={"least_doubt": 0.0})
    assert settings_meant(sent, first).options == {"half_life": 9.0, "least_doubt": 0.0}
    assert settings_meant(sent, sent) == sent
    other = msgspec.structs.replace(sent, policy="unirank")
    assert settings_meant(other, first) == other
