"""A policy for a page whose best position is not its first.

Most policies give the best item first, and need positions by decreasing examination. On a page that
is read in another order, a position has two numbers:

    rank r                  0 = examined most; what a policy counts by
    position_order[r]       where rank r stands on the page

`Reordered` gives rankings, and takes clicks, by the page; the policy inside goes on by rank.
"""

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike

import msgspec

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.policy import Policy
from unirank.policies.base.ranking import Ranking
from unirank.policies.base.state_file import SavedPolicy, write_state_file


class Reordered:
    """A policy whose rankings are written in the order of the page.

    `position_order[r]` is the place on the page of the r-th most examined position.

    >>> from unirank.policies.baselines.oracle import Oracle
    >>> policy = Oracle(items=["a", "b", "c"], n_positions=3, ranking=["a", "b", "c"])
    >>> page = Reordered(policy, position_order=[1, 2, 0])  # the middle is examined most
    >>> shown = page.rank()
    >>> shown.items
    ('c', 'a', 'b')
    >>> page.update(shown, clicks=["a"])
    """

    def __init__(self, policy: Policy, position_order: Iterable[int]) -> None:
        if not isinstance(policy, Policy):
            raise ArgumentError(f"policy must be a Policy, got {policy!r}")
        order = arguments.permutation("position_order", position_order, policy.n_positions)
        self.policy = policy
        self.position_order = tuple(order)

    def rank(self) -> Ranking:
        """Choose the ranking of the next round, in the order of the page."""
        shown = self.policy.rank()
        standing = dict(zip(self.position_order, shown.items, strict=True))
        return replace(shown, items=tuple(standing[p] for p in range(self.n_positions)))

    def update(self, shown: Ranking | int, clicks: Iterable[int | str]) -> None:
        """Learn from the clicks on a ranking (or its round number), in any order of rounds."""
        if isinstance(shown, Ranking):
            items = shown.items
            if len(items) != self.n_positions:
                raise ArgumentError(
                    f"shown must have n_positions={self.n_positions} items, got {items!r}"
                )
            shown = replace(shown, items=tuple(items[p] for p in self.position_order))
        self.policy.update(shown, clicks)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything needed to continue, atomically; read it back with `unirank.load`."""
        write_state_file(self.to_saved(), path)

    def to_saved(self) -> SavedPolicy:
        """The policy inside as plain data, with the order of the positions."""
        saved = self.policy.to_saved()
        return msgspec.structs.replace(saved, position_order=list(self.position_order))

    @property
    def items(self) -> tuple[int | str, ...]:
        return self.policy.items

    @property
    def n_positions(self) -> int:
        return self.policy.n_positions

    @property
    def round(self) -> int:
        """The last round given."""
        return self.policy.round

    def __repr__(self) -> str:
        return f"Reordered({self.policy!r}, position_order={list(self.position_order)})"
