"""The leader of any policy that has one, in one shape: groups of tied items, best first.

UniRank's leader is an ordered partition: its groups hold at least `n_positions` items, and whatever
it holds behind them has no place on the page. The leader of GRAB, S-GRAB or OSUB is one list: each
of its positions is a group of one, and items that it lacks have no place.
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry

ItemId = int | str


@dataclass(frozen=True)
class Leader:
    """Groups of tied items that share the page, best first, and the items below the page."""

    groups: tuple[tuple[ItemId, ...], ...]
    below: tuple[ItemId, ...]


def names_with_leader() -> list[str]:
    """Registered policies that have a leader."""
    return sorted(entry.name for entry in registry if hasattr(entry.cls, "leader"))


def leader_of(policy: Any) -> Leader:
    """The present leader; an ArgumentError names the policies that have one."""
    leader = leader_or_none(policy)
    if leader is None:
        names = ", ".join(names_with_leader())
        raise ArgumentError(f"policy must be one that has a leader ({names}), got {policy!r:.80}")
    return leader


def leader_or_none(policy: Any) -> Leader | None:
    """The present leader of a policy, or else the order of its explanation, if it has one."""
    if not hasattr(policy, "leader"):
        explanation = getattr(policy, "explanation", None)
        order: Leader | None = None if explanation is None else explanation().order
        return order
    leader: Any = policy.leader
    if not leader:  # OSUB before the first click: all lists tie
        return Leader((policy.items,), ())
    if not isinstance(leader[0], tuple):  # one list
        rest = tuple(item for item in policy.items if item not in set(leader))
        return Leader(tuple((item,) for item in leader), rest)
    taken = list(accumulate(map(len, leader)))
    n_groups = 1 + sum(size < policy.n_positions for size in taken)
    return Leader(leader[:n_groups], tuple(item for group in leader[n_groups:] for item in group))
