"""A view: one ranking shown to one visitor. A token carries it, and the store keeps it."""

from typing import Literal

import msgspec

ItemId = int | str
Arm = Literal["learner", "holdout", "observed", "frozen"]

LEARNER: Arm = "learner"  # the policy chose the ranking, and learns from it
HOLDOUT: Arm = "holdout"  # today's order, or a random one, to compare with
OBSERVED: Arm = "observed"  # today's order, while the page is only observed
FROZEN: Arm = "frozen"  # the leader, while the page is frozen


class View(msgspec.Struct, array_like=True, frozen=True):
    """All that a process needs to accept a click on a view, to learn from it and to count it.

    The order of the fields is the format of tokens: a new field goes to the end.
    """

    id: int  # a leased number, used once
    page: int
    items: list[ItemId]  # the ranking, best position first
    memory: bytes  # what the policy must know of the round to learn from it
    arm: Arm
    propensity: float | None  # chance of this ranking in its arm
    shown_at: float  # seconds since 1970
    expires_at: float  # when the window for clicks is over
    session: bytes  # salted hash; empty if none was given
    place: int  # the cell of a hash that the session falls into; counts are kept by place
    available: list[ItemId] | None = None  # what could be chosen; None if all items
    deferred: bool = False  # it counts from when it is reported as shown
    settings_entry: int = 0  # number of the entry of the log whose settings were in force
