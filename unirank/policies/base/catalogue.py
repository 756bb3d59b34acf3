"""The items of a policy: ids outside, numbers inside, and which of them were removed.

Numbers are never used again: tokens, files and statistics speak in numbers.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.policies.base.options import ItemId


class Catalogue:
    """Numbers of items by id; `removed` has the numbers of those that are shown no more."""

    def __init__(self, items: tuple[ItemId, ...]) -> None:
        self.numbers: dict[ItemId, int] = {item: number for number, item in enumerate(items)}
        self.removed: set[int] = set()
        self._left: NDArray[np.int64] | None = None  # numbers of the others, once asked for

    def copy(self) -> "Catalogue":
        twin = Catalogue(())
        twin.numbers, twin.removed = dict(self.numbers), set(self.removed)
        return twin

    def number_of(self, item: object) -> int | None:
        """Number of an id, which may be of another type, as a numpy integer; None if it is none."""
        if type(item) in (int, str):
            return self.numbers.get(item)  # type: ignore[call-overload]
        try:
            (item,) = arguments.item_ids([item])
        except ArgumentError:
            return None
        return self.numbers.get(item)

    def numbers_of(self, name: str, ids: Iterable[ItemId]) -> set[int]:
        """Numbers of items that the argument `name` lists; they may have been removed."""
        if not arguments.is_list(ids):
            raise ArgumentError(f"{name} must be a list of item ids, got {arguments.shown(ids)}")
        found = set()
        for item in ids:
            number = self.number_of(item)
            if number is None:
                raise UnknownNameError(f"item in {name}:", item, tuple(self.numbers))
            found.add(number)
        return found

    def left(self) -> NDArray[np.int64] | None:
        """Numbers of the items that were not removed, ascending; None if none was.

        It is the same array until the next change, so that states kept for it are found by it.
        """
        if self._left is None and self.removed:
            self._left = np.array(sorted(set(range(len(self.numbers))) - self.removed))
        return self._left

    def choice(self, available: Iterable[ItemId], n_positions: int) -> NDArray[np.int64] | None:
        """Numbers of the items to choose a page from, ascending; None if these are all."""
        numbers = self.numbers_of("available", available) - self.removed
        if len(numbers) < n_positions:
            raise ArgumentError(
                f"available must hold at least n_positions={n_positions} items, got "
                f"{len(numbers)}: this policy always fills {n_positions} positions; if so few "
                "items are there, show all of them without asking it, or make a policy with fewer "
                "positions"
            )
        return None if len(numbers) == len(self.numbers) else np.array(sorted(numbers))

    def add(self, item: ItemId) -> bool:
        """Let an item take part; return whether it is new, False if it had been removed."""
        number = self.numbers.get(item)
        if number is not None and number not in self.removed:
            raise ArgumentError(f"item must be new, got {item!r}, which is there already")
        self._left = None
        self.removed.discard(-1 if number is None else number)
        if number is None:
            self.numbers[item] = len(self.numbers)
        return number is None

    def remove(self, item: ItemId, n_positions: int) -> None:
        """Take an item out; enough for a page must be left."""
        (number,) = self.numbers_of("remove", [item])
        if number in self.removed:
            raise ArgumentError(f"item must be there, got {item!r}, which was removed")
        if len(self.numbers) - len(self.removed) == n_positions:
            raise ArgumentError(
                f"item must not be one of the last n_positions={n_positions}, got "
                f"{item!r}: add another item first"
            )
        self.removed.add(number)
        self._left = None

    def restore_removed(self, removed: Iterable[int], n_positions: int) -> None:
        """Take over which items were removed; it may come from a forged file."""
        self.removed = set(removed)
        n_left = len(self.numbers) - len(self.removed)
        if not self.removed <= set(range(len(self.numbers))) or n_left < n_positions:
            raise ArgumentError("removed must be numbers of items, and leave enough for a page")
