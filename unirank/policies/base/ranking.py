"""What a policy hands out: an ordered list of item ids, with the round it belongs to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page: which items to show, best position first.

    `propensity` is the probability with which the policy, as it then was, would show exactly this
    ordered list; NaN where a policy cannot tell.
    """

    items: tuple[int | str, ...]
    round: int
    propensity: float
