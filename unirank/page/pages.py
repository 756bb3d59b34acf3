"""Many pages, each with a policy of its own, in a folder.

A page's policy is made when the page is first used, read from its file when it is used again, and
written when it is put aside to make room for others. The threads of a process share one `Pages`.

One lock guards the table of pages and their files. It is held while a file is read or written, and
not while a policy ranks or learns: a policy has a lock of its own. A page in use is never put
aside, so that there is never a second copy of its policy that would learn apart.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Self

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.page.folder_lock import FolderLock
from unirank.page.loading import load
from unirank.page.page_names import names_in, path_of
from unirank.policies import Policy, Ranking
from unirank.policies.base.options import ItemId
from unirank.policies.base.specs import PolicySpec, resolved

Items = int | Iterable[ItemId]


@dataclass
class Slot:
    """A page in memory."""

    policy: Policy
    n_users: int = 0  # threads that use it just now
    n_unsaved: int = 0  # answers since it was written
    changed: bool = False  # since it was written


class Page:
    """One page of `Pages`: its policy, wherever that is. Keep it or ask for it again, as you like.

    `Pages.open` makes it.

    For whatever else a policy can do, `with page.policy() as policy: ...`; the policy must not be
    used after that block, because it may be put aside then.

    Parameters
    ----------
    pages
        Where it is kept.
    name
        The name of the page.
    items
        Ids of its items, if they were given.
    options
        Further options of its policy.
    """

    def __init__(
        self,
        pages: "Pages",
        name: str,
        items: tuple[ItemId, ...] | None,
        options: dict[str, Any],
    ) -> None:
        self.name = name
        self._pages, self._items, self._options = pages, items, options

    @contextmanager
    def policy(self) -> Iterator[Policy]:
        """The policy itself, for as long as the block runs; it counts as one answer."""
        with self._pages._used(self, n_answers=1) as policy:
            yield policy

    def rank(self, **how: Any) -> Ranking:
        """Choose what to show.

        Parameters
        ----------
        how
            Arguments of the policy's `rank`, such as available.
        """
        with self._pages._used(self) as policy:
            return policy.rank(**how)

    def update(self, shown: Ranking | str | int, clicks: Any = None, **how: Any) -> None:
        """Learn from the clicks on a ranking, its token or its round.

        Parameters
        ----------
        how
            Further arguments of the policy's `update`, such as rewards.
        """
        with self._pages._used(self, n_answers=1) as policy:
            policy.update(shown, clicks, **how)

    def click(self, shown: Ranking | str | int, item: ItemId) -> None:
        """Note one click; see the policy's `click`."""
        with self._pages._used(self, n_answers=1) as policy:
            policy.click(shown, item)

    def close(self, older_than: float = 0.0) -> int:
        """Learn from the rounds of a window; see the policy's `close`."""
        with self._pages._used(self, n_answers=1) as policy:
            return policy.close(older_than)


class Pages:
    """Thousands of pages in a folder, each its own policy, made on first use.

    Parameters
    ----------
    folder
        Where the pages are kept, a file each. One process at a time may use it.
    policy
        A name or a Policy class, or (that, options), as in `simulate`: what a new page gets.
    n_positions
        How many items a page shows.
    items
        A function of the name of a page that returns its items, asked when the page is first used.
        Without it, the first use must be `open(name, items=...)`.
    most_in_memory
        Pages kept in memory; the least recently used ones are written and put aside.
    save_every
        Answers after which a page is written. A process that crashes loses at most that many
        answers of each page: 1 loses none and writes a file per answer, a large number is fast.
        `save_all()`, from a timer for instance, bounds the loss in time.
    token_key
        A secret with which all pages sign their tokens.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> with Pages(folder, policy="unirank", n_positions=2) as pages:
    ...     shown = pages.open("shoes", items=["boot", "clog", "pump"]).rank()
    ...     pages["shoes"].update(shown, clicks=[shown.items[0]])
    >>> with Pages(folder, policy="unirank", n_positions=2) as pages:
    ...     len(pages["shoes"].rank())
    2
    """

    def __init__(
        self,
        folder: str | PathLike[str],
        *,
        policy: PolicySpec,
        n_positions: int,
        items: Callable[[str], Items] | None = None,
        most_in_memory: int = 1000,
        save_every: int = 100,
        token_key: str | bytes | None = None,
    ) -> None:
        self._class, self._options = resolved(policy)
        self.n_positions = arguments.integer("n_positions", n_positions, 1)
        self.most_in_memory = arguments.integer("most_in_memory", most_in_memory, 1)
        self.save_every = arguments.integer("save_every", save_every, 1)
        if items is not None and not callable(items):
            raise ArgumentError(
                f"items must be a function of a page's name, got {items!r:.60}: give a list to "
                "open(name, items=...)"
            )
        self._items_of = items
        self._token_key = token_key
        self.folder = Path(folder)
        self._folder_lock = FolderLock("folder", self.folder)
        self._closed = False
        self._lock = RLock()  # of the table and the files; `items` may look at other pages
        self._slots: OrderedDict[str, Slot] = OrderedDict()  # the least recently used first

    def __getitem__(self, name: str) -> Page:
        """The page of this name, which has a file or whose items `items` knows."""
        return self.open(name)

    def open(self, name: str, items: Items | None = None, **options: Any) -> Page:
        """The page of this name, made on first use with these items and further options.

        If the page is there already, `items` must be the ones it has: it never forgets by accident.

        Parameters
        ----------
        name
            The name of the page, any text.
        items
            Ids of its items. Needed on first use, unless `Pages` has a function for them.
        options
            Further options of the policy of a new page.
        """
        path_of(self.folder, name)  # its error comes before anything else
        return Page(self, name, None if items is None else arguments.item_ids(items), options)

    def save_all(self) -> int:
        """Write every page that has changed; return how many."""
        with self._lock:
            return sum(self._write(name, slot) for name, slot in self._slots.items())

    def close(self) -> None:
        """Write every page that has changed, and give the folder free."""
        if not self._closed:
            self.save_all()
            self._closed = True
            self._folder_lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[str]:
        """Names of the pages in memory or in the folder, in order."""
        with self._lock:
            return iter(sorted(self._slots.keys() | names_in(self.folder)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: str) -> bool:
        return name in self._slots or path_of(self.folder, name).exists()

    @property
    def n_in_memory(self) -> int:
        return len(self._slots)

    @contextmanager
    def _used(self, page: Page, n_answers: int = 0) -> Iterator[Policy]:
        """The policy of a page, which stays in memory; afterwards it may be due for writing."""
        if self._closed:
            raise ArgumentError("pages must be open, got closed ones: make another Pages")
        self._folder_lock.check()
        with self._lock:
            if page.name not in self._slots:
                self._slots[page.name] = Slot(self._read_or_made(page))
            self._slots.move_to_end(page.name)
            slot = self._slots[page.name]
            if page._items is not None and slot.policy.items != page._items:
                _check_items(page.name, slot.policy, page._items)
            slot.n_users += 1
        try:
            yield slot.policy
        finally:
            with self._lock:
                slot.n_users -= 1
                slot.n_unsaved += n_answers
                slot.changed = True
                if slot.n_unsaved >= self.save_every:
                    self._write(page.name, slot)
                self._put_aside()

    def _put_aside(self) -> None:
        """Write the least recently used pages and forget them, until few enough are in memory."""
        while len(self._slots) > self.most_in_memory:
            idle = next((name for name, slot in self._slots.items() if not slot.n_users), None)
            if idle is None:
                return
            self._write(idle, self._slots[idle])
            del self._slots[idle]

    def _write(self, name: str, slot: Slot) -> bool:
        """Write a page if it has changed; say whether it had."""
        if not slot.changed:
            return False
        path = path_of(self.folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        slot.policy.save(path)
        slot.n_unsaved, slot.changed = 0, False
        return True

    def _read_or_made(self, page: Page) -> Policy:
        path = path_of(self.folder, page.name)
        if path.exists():
            policy = load(path, token_key=self._token_key)
            if type(policy) is not self._class or policy.n_positions != self.n_positions:
                raise ArgumentError(
                    f"page {page.name!r} is {policy.name} with n_positions={policy.n_positions}, "
                    f"not {self._class.name} with n_positions={self.n_positions}: give Pages what "
                    "the folder was made with, or another folder"
                )
            return policy
        items: Items | None = page._items
        if items is None and self._items_of is not None:
            items = self._items_of(page.name)
        if items is None:
            raise ArgumentError(
                f"page {page.name!r} is not there yet: give its items on first use, "
                "open(name, items=[...]), or a function, Pages(..., items=...)"
            )
        options = {**self._options, **page._options}
        return self._class(items, self.n_positions, token_key=self._token_key, **options)


def _check_items(name: str, policy: Policy, given: tuple[ItemId, ...]) -> None:
    """Raise ArgumentError if a page that is there was opened with other items than it has."""
    there, asked = set(policy.items) - set(policy.removed), set(given)
    if there == asked:
        return
    new, gone = sorted(map(str, asked - there)), sorted(map(str, there - asked))
    raise ArgumentError(
        f"items must be those that page {name!r} has; new: {new!r:.60}, missing: {gone!r:.60}; "
        "leave items out, or tell its policy: with page.policy() as policy: policy.add(...)"
    )
