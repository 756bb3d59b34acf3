"""The order now: each place of the page, who has it, and what is believed of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from unirank.policies.base.leader import Leader
from unirank.policies.match_rank.explanation import Belief, Explanation
from unirank.server.view import ItemId

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
    leader: Leader,
    n_positions: int,
    explanation: Any,
    present: Sequence[ItemId],
    unseen: Collection[ItemId] = (),
) -> Order:
    """The leader of a policy, with MatchRank's beliefs where there are some."""
    believed = explanation.attraction if isinstance(explanation, Explanation) else ()
    beliefs = {belief.of: belief for belief in believed}
    starts = [0, *accumulate(map(len, leader.groups))]
    places = [
        Place(
            start + 1,
            min(start + len(group), n_positions),
            group,
            beliefs.get(group[0]) if len(group) == 1 else None,
            tuple(item for item in group if item in unseen),
        )
        for start, group in zip(starts, leader.groups, strict=False)
    ]
    rest = [item for item in leader.below if item in set(present)]
    rest.sort(key=lambda item: -beliefs[item].value if item in beliefs else 0.0)
    below = [
        Place(0, 0, (item,), beliefs.get(item), (item,) if item in unseen else ()) for item in rest
    ]
    n_left_out = len(places[MOST_PLACES:]) + len(below[MOST_BELOW:])
    return Order(tuple(places[:MOST_PLACES]), tuple(below[:MOST_BELOW]), n_left_out)
