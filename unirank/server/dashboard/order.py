"""The order now: each place of the page, who has it, and what is believed of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from unirank.policies.base.explanation import Belief
from unirank.policies.base.leader import ItemId, Leader

MOST_PLACES, MOST_BELOW = 20, 8  # drawn


@dataclass(frozen=True)
class Place:
    """Items that share the positions from `first` to `last`; below the page these are 0."""

    first: int
    last: int
    items: tuple[ItemId, ...]
    belief: Belief | None = None  # of the click rate in position 1
    unseen: tuple[ItemId, ...] = ()  # those of the items that were never shown

    @property
    def label(self) -> str:
        if not self.first:
            return "below"
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


@dataclass(frozen=True)
class Order:
    places: tuple[Place, ...]
    below: tuple[Place, ...]
    n_left_out: int  # items that are not drawn

    @property
    def has_unseen(self) -> bool:
        return any(row.unseen for row in (*self.places, *self.below))

    @property
    def highest(self) -> float:
        """The largest click rate that any item may have."""
        rows = (*self.places, *self.below)
        return max((row.belief.high for row in rows if row.belief is not None), default=0.0)


def order_of(
    order: Leader,
    n_positions: int,
    attraction: Sequence[Belief],
    unseen: Collection[ItemId] = (),
) -> Order:
    """Each place of an order, with what is believed of the item there."""
    beliefs = {belief.of: belief for belief in attraction}
    starts = [0, *accumulate(map(len, order.groups))]
    places = [
        Place(
            start + 1,
            min(start + len(group), n_positions),
            group,
            beliefs.get(group[0]) if len(group) == 1 else None,
            tuple(item for item in group if item in unseen),
        )
        for start, group in zip(starts, order.groups, strict=False)
    ]
    below = [
        Place(0, 0, (item,), beliefs.get(item), (item,) if item in unseen else ())
        for item in order.below
    ]
    n_left_out = len(places[MOST_PLACES:]) + len(below[MOST_BELOW:])
    return Order(tuple(places[:MOST_PLACES]), tuple(below[:MOST_BELOW]), n_left_out)
