"""One list that was shown to one visitor: what a token carries and what the store keeps."""

from typing import Literal

import msgspec

ItemId = int | str
Arm = Literal["learner", "holdout", "observed", "frozen"]

LEARNER: Arm = "learner"  # the policy chose the list, and learns from it
HOLDOUT: Arm = "holdout"  # today's order, or a random one, to compare with
OBSERVED: Arm = "observed"  # today's order, while the page is only observed
FROZEN: Arm = "frozen"  # the leader, while the page is frozen


class View(msgspec.Struct, array_like=True, frozen=True):
    """All that is needed to accept a click, to learn from it and to count it, in any process."""

    id: int  # a leased number, used once
    page: int
    items: list[ItemId]  # best position first
    memory: bytes  # of the policy
    arm: Arm
    propensity: float | None  # chance of this list in its arm
    shown_at: float  # seconds since 1970
    expires_at: float  # when the window for clicks is over
    session: bytes  # salted hash; empty if none was given
    place: int  # of the session among 1,024, or of a list without one; counts are kept by place
    available: list[ItemId] | None = None  # the choice, if it was not all items
    deferred: bool = False  # to be counted when it is reported as shown
    settings_entry: int = 0  # number of the entry of the log whose settings were in force
