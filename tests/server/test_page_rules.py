"""Rules of pages: what is refused, and in which words."""

import asyncio

import msgspec
import pytest

from tests.server.stores import SETTINGS, STARTED
from unirank.errors import ArgumentError
from unirank.server.api import (
    Holdout,
    ItemsChange,
    PageRequest,
    PageSettings,
)
from unirank.server.errors import Conflict, NotFound
from unirank.server.page_rules import check_settings
from unirank.server.service import Service
from unirank.server.view import ItemId


def test_settings_that_may_change_change_and_others_conflict(service: Service) -> None:
    async def ask() -> None:
        assert (await service.put_page("p", SETTINGS)).created
        assert not (await service.put_page("p", SETTINGS)).created
        changed = msgspec.structs.replace(SETTINGS, mode="observe", holdout=Holdout(0.1))
        await service.put_page("p", changed)
        assert (await service.page("p")).serving.settings.mode == "observe"
        other = msgspec.structs.replace(SETTINGS, policy="matchrank")
        with pytest.raises(Conflict, match="has policy 'unirank'"):
            await service.put_page("p", other)
        with pytest.raises(Conflict, match="PATCH"):
            await service.put_page("p", msgspec.structs.replace(SETTINGS, items=["a", "b"]))

    asyncio.run(ask())


def test_options_without_a_policy_are_those_of_the_page(service: Service) -> None:
    items: list[ItemId] = ["a", "b", "c"]

    async def ask() -> None:
        made = PageRequest(items, 2, policy="epsilon-greedy", options={"epsilon": 0.2})
        assert (await service.put_page("p", made)).created
        again = PageRequest(items, 2, options={"epsilon": 0.2})  # matchrank has no such option
        assert not (await service.put_page("p", again)).created
        with pytest.raises(Conflict, match="has options"):
            await service.put_page("p", PageRequest(items, 2, options={"epsilon": 0.3}))

    asyncio.run(ask())


def test_old_items_are_a_conflict_on_a_page_with_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.change_items("p", ItemsChange(add=["e"], remove=["c"]))
        with pytest.raises(Conflict, match=r"has other items: .* change them with PATCH"):
            await service.put_page("p", PageRequest(SETTINGS.items, 2))

    asyncio.run(ask())


def test_items_in_another_order_are_a_conflict_that_names_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        with pytest.raises(Conflict, match=r"in another order, .* and a new order as `start`"):
            await service.put_page("p", PageRequest(list("bacd"), 2))
        await service.put_page("p", PageRequest(list("bacd"), 2, start=list("dcba")))
        found = (await service.summary("p")).settings
        assert (found.items, found.start) == (SETTINGS.items, list("dcba"))

    asyncio.run(ask())


def test_the_order_of_items_does_not_matter_beside_a_start(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", STARTED)
        await service.put_page("p", PageRequest(list("bacd"), 2))

    asyncio.run(ask())
    assert service.store.last_number() == 1


def test_a_wrong_change_of_items_changes_nothing(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        with pytest.raises(ArgumentError, match=r"^add\[1\] must be new, got 'a'"):
            await service.change_items("p", ItemsChange(add=["e", "a"]))
        assert (await service.summary("p")).items == ["a", "b", "c", "d"]

    asyncio.run(ask())


def test_removing_too_many_items_names_the_field_and_the_way_out(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        words = (
            r"^remove must leave at least n_positions=2 items, got \['a', 'b', 'c'\], which leaves "
            r"1: add other items first, or delete the page$"
        )
        with pytest.raises(ArgumentError, match=words):
            await service.change_items("p", ItemsChange(remove=["a", "b", "c"]))
        found = await service.change_items("p", ItemsChange(add=["e"], remove=["a", "b", "c"]))
        assert found.items == ["d", "e"]

    asyncio.run(ask())


def test_a_change_to_more_items_than_a_page_may_have_is_refused(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", PageSettings(list(range(600)), 2, policy="random"))
        words = r"^items must be at most 1000 on a page, got 1001: remove some, or make another"
        with pytest.raises(ArgumentError, match=words):
            await service.change_items("p", ItemsChange(add=list(range(600, 1001))))
        found = await service.change_items("p", ItemsChange(list(range(600, 1001)), [0]))
        assert len(found.items) == 1000

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("abc", "it lacks 'd'"),
        ("abcdxy", "too many are 'x', 'y'"),
        ("abcx", "it lacks 'd'; too many are 'x'"),
        ("aabcd", "too many are 'a'"),
    ],
)
def test_a_wrong_start_is_told_which_items_are_wrong(start: str, words: str) -> None:
    settings = msgspec.structs.replace(SETTINGS, start=list(start))
    sentence = f"start must hold every item once, as `items` does: {words}"
    with pytest.raises(ArgumentError, match=f"^{sentence}$"):
        check_settings(settings)


@pytest.mark.parametrize("name", ["", "a/b", "\0", "x" * 201])
def test_strange_names_are_refused(service: Service, name: str) -> None:
    with pytest.raises(ArgumentError, match="page must be a name"):
        asyncio.run(service.put_page(name, SETTINGS))
    with pytest.raises(NotFound):
        asyncio.run(service.summary(name))


def test_an_item_that_cannot_be_added_is_named_by_its_place(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        with pytest.raises(ArgumentError, match=r"^add\[1\] must be new, got 'a'"):
            await service.change_items("p", ItemsChange(add=["x", "a"]))

    asyncio.run(ask())
