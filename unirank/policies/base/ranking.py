"""What a policy hands out: an ordered list of item ids, with the round it belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page: which items to show, best position first. It works like a tuple of item ids.

    `propensity` is the probability with which the policy, as it then was, would show exactly this
    ordered list; NaN where a policy cannot tell.
    """

    items: tuple[int | str, ...]
    round: int
    propensity: float

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[int | str]:
        return iter(self.items)

    def __getitem__(self, position: int) -> int | str:
        return self.items[position]
