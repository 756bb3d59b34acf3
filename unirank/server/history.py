"""How a page came to its order: the leader and the lift at moments of its past.

There are 20 moments to each doubling of the views, so that a page has a few hundred after years,
and one at each change of the page. They follow from the log, as all that a learner knows.
"""

from copy import copy
from typing import Any

from msgspec import Struct

from unirank.policies.base.leader import leader_or_none
from unirank.server.view import ItemId

MOST_ITEMS = 20  # of a leader that are kept
MOST_MOMENTS = 500
FIRST_STEP, FIRST_VIEWS = 10, 200  # every tenth view up to 400, every twentieth up to 800, ...


class Moment(Struct, array_like=True, frozen=True):
    """A page when it had `views` views: groups of tied items, and the lift with its interval."""

    views: int
    at: float
    groups: list[list[ItemId]]
    lift: tuple[float | None, float | None, float | None]


def is_moment(views: int) -> bool:
    """Whether a page with so many views is worth a note."""
    doublings = (views // FIRST_VIEWS).bit_length() - 1
    return views % (FIRST_STEP << max(doublings, 0)) == 0


def note(moments: list[Moment], moment: Moment) -> None:
    """Append a moment; if there are too many, every second one is forgotten."""
    moments.append(moment)
    if len(moments) > MOST_MOMENTS:
        del moments[1:-1:2]


def leading(policy: Any) -> list[list[ItemId]]:
    """The first items of a policy's leader, in groups of tied ones; none if it has no leader."""
    leader = leader_or_none(copy(policy))  # of a copy: to look can change a policy
    groups, left = [], MOST_ITEMS
    for group in leader.groups if leader else ():
        if left > 0:
            groups.append(list(group[:left]))
            left -= len(group)
    return groups
