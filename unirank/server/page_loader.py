"""Pages brought into memory for requests: one loading each, however many requests wait for it.

To load a page may take minutes, if its policy is not compiled yet or its log is long. Compiling is
waited for. Loading is waited for as long as a request has patience, and goes on without it.
"""

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor

from unirank.server import in_time
from unirank.server.errors import NotFound, NotLoaded
from unirank.server.in_time import in_thread
from unirank.server.loaded_pages import LoadedPage, LoadedPages
from unirank.server.page_rules import check_known_name
from unirank.server.store.database import StoreUnavailable
from unirank.server.store.store import PageRow, Store

AT_ONCE = 2  # pages; a long log takes minutes, and must not take the threads of other requests
log = logging.getLogger("unirank.server")


class PageLoader:
    """Finds pages by name: in memory, or else in the store."""

    def __init__(self, store: Store, pages: LoadedPages) -> None:
        self._store, self._pages = store, pages
        self._compiling: dict[str, asyncio.Future[PageRow | None]] = {}  # by name
        self._loading: dict[int, Future[LoadedPage | None]] = {}  # by number of the page
        self._threads = ThreadPoolExecutor(AT_ONCE, "loading")

    def stop(self) -> None:
        """Begin no other loading; wait for none."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def page(self, name: str, patience: float | None = None) -> LoadedPage:
        """Return the page, loaded if need be.

        A request waits for a loading for `patience` seconds, by default as long as for any answer
        of the store; after that it is NotLoaded.
        """
        if (page := self._pages.get(name)) is not None:
            return page
        check_known_name(name)
        compiling = self._compiling.get(name)
        if compiling is None:
            compiling = self._compiling[name] = asyncio.ensure_future(self._compiled(name))
            compiling.add_done_callback(lambda _: self._compiling.pop(name, None))
        row = await asyncio.shield(compiling)
        found = None if row is None else await self._loaded(row, patience)
        if found is None:
            raise NotFound(f"there is no page {name!r}: make it with PUT /v1/pages/{name}")
        return found

    async def _compiled(self, name: str) -> PageRow | None:
        """Return the page's row in the store, after its policy was compiled."""
        row = await in_thread(self._store.page, name)
        if row is not None:
            # Without a time limit: the compiler is slow, not the store.
            await asyncio.to_thread(self._pages.compile, row)
        return row

    async def _loaded(self, row: PageRow, patience: float | None) -> LoadedPage | None:
        loading = self._loading.get(row.number)
        if loading is None:
            loading = self._threads.submit(self._pages.load, row.name, row)
            self._loading[row.number] = loading
            loading.add_done_callback(lambda loading: self._load_ended(row, loading))
        waiting = asyncio.shield(asyncio.wrap_future(loading))
        seconds = in_time.STORE_TIMEOUT if patience is None else patience
        try:
            return await asyncio.wait_for(waiting, seconds)
        except TimeoutError:
            raise NotLoaded(
                f"page {row.name!r} is being loaded, which takes long if it is learnt again from a "
                "long log: send the request again after a second"
            ) from None

    def _load_ended(self, row: PageRow, loading: Future[LoadedPage | None]) -> None:
        del self._loading[row.number]
        error = None if loading.cancelled() else loading.exception()
        # Perhaps no request waits for this loading any more, and would answer with its error.
        if error is not None and not isinstance(error, StoreUnavailable):
            log.error("page %s cannot be loaded: %s", row.name, error)
