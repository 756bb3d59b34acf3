"""Changes of a page: an entry of the log each, planned from where the page stands.

Many processes may change a page at once. A change is planned from one state of the page, and the
store takes it only if no other change came after that state; else it is planned again.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import time
from typing import Any, NamedTuple

import msgspec

from unirank.server.api import ItemsChange, PageRequest, PageSettings, Rebuild, Without
from unirank.server.errors import Conflict, NotFound
from unirank.server.in_time import in_thread
from unirank.server.learner import best_order
from unirank.server.loaded_pages import LoadedPage, LoadedPages
from unirank.server.page_loader import PageLoader
from unirank.server.page_rules import (
    changed_items,
    changed_settings,
    check_known_name,
    check_new_name,
    check_period,
    new_settings,
)
from unirank.server.serving import Serving
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import Part, Rebuilt, Store

MOST_TRIES = 10  # to change a page that others change at the same time
ALWAYS_CHANGED = "page {!r} is changed by others all the time: send the change again"


class Plan(NamedTuple):
    """A change of a page: the entry of the log, and the settings from then on."""

    change: dict[str, Any]
    settings: PageSettings


class PageChanges:
    """Makes, changes, rebuilds and deletes pages."""

    def __init__(self, store: Store, pages: LoadedPages, loader: PageLoader) -> None:
        self._store, self._pages, self._loader = store, pages, loader

    async def put(self, name: str, sent: PageRequest | PageSettings) -> bool:
        """Make a page, or change window, holdout, mode and start of one; say whether it is new.

        Items, positions, policy and options stay: with others, a page would have to begin anew.
        """
        check_new_name(name)
        if await in_thread(self._store.page, name) is None:
            settings = await asyncio.to_thread(new_settings, sent)
            if await in_thread(self._store.create_page, name, settings) is not None:
                # A deleted page of this name may still be in memory.
                await in_thread(self._pages.catch_up)
                await self._loader.page(name)
                return True
        await self._change(name, lambda serving: settings_plan(name, serving, sent))
        return False

    async def items(self, name: str, change: ItemsChange) -> None:
        """Add and remove items."""
        await self._change(name, lambda serving: items_plan(serving, change))

    async def delete(self, name: str) -> None:
        """Show a page no more. Its log stays; its tokens are refused from now on."""
        check_known_name(name)
        if not await in_thread(self._store.delete_page, name):
            raise NotFound(f"there is no page {name!r}")
        await in_thread(self._pages.catch_up)

    async def rebuild(self, name: str, request: Rebuild, *, more: bool = False) -> Rebuilt:
        """Leave out what is named; every process learns again from the log.

        With `more`, what the last rebuild left out stays left out; else it comes back.
        """
        for each in request.parts:
            check_period(each.from_, each.to)
        for _ in range(MOST_TRIES):
            page = await self._current(name)
            serving = page.serving
            without = [*(serving.without if more else ()), *until(time(), request.parts)]
            change = {"rebuild": msgspec.to_builtins(without)}
            parts = [Part(each.sessions, each.from_, each.to) for each in without]
            values = page.row.number, change, parts, serving.as_of
            # Without a time limit: it goes on if nobody waits for it, and sent again does the same.
            done = await asyncio.to_thread(self._store.rebuild_page, *values)
            if done is not None:
                with suppress(StoreUnavailable):  # it is done: the closing thread catches up
                    await in_thread(self._pages.catch_up)
                return done
        raise Conflict(ALWAYS_CHANGED.format(name))

    async def _change(self, name: str, plan: Callable[[Serving], Plan | None]) -> None:
        """Change a page as planned from where it stands; plan again if another change came first.

        A plan may take long, so it is made in a thread; it must not change anything.
        """
        for _ in range(MOST_TRIES):
            page = await self._current(name)
            serving = page.serving
            planned = await asyncio.to_thread(plan, serving)
            if planned is None:
                return
            values = page.row.number, planned.change, planned.settings, serving.as_of
            if await in_thread(self._store.change_page, *values) is not None:
                await in_thread(self._pages.catch_up)
                return
        raise Conflict(ALWAYS_CHANGED.format(name))

    async def _current(self, name: str) -> LoadedPage:
        """Return the page with all that the log has of it."""
        await in_thread(self._pages.catch_up)
        return await self._loader.page(name)


def settings_plan(name: str, serving: Serving, sent: PageRequest | PageSettings) -> Plan | None:
    """Plan new settings of a page; None if they change nothing."""
    settings = changed_settings(name, serving, sent)
    if settings is None:
        return None
    change: dict[str, Any] = {"settings": msgspec.to_builtins(settings)}
    if settings.mode == "frozen" != serving.settings.mode:
        change["order"] = best_order(serving.policy)  # what its visitors have seen most lately
    return Plan(change, settings)


def items_plan(serving: Serving, change: ItemsChange) -> Plan:
    """Plan other items of a page."""
    settings = msgspec.structs.replace(serving.settings, items=changed_items(serving, change))
    return Plan({"add": change.add, "remove": change.remove}, settings)


def until(now: float, parts: list[Without]) -> list[Without]:
    """Return the parts, each with an end.

    A part that is named again later then means the same views, and none that came since.
    """
    return [
        msgspec.structs.replace(each, to=now if each.to is None else min(each.to, now))
        for each in parts
        if each.from_ is None or each.from_ <= now
    ]
