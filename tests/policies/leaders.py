"""GRAB and S-GRAB put into a chosen situation."""

from typing import Any

import numpy as np

from unirank.policies.grab.state import LeaderPolicy


def with_counts(
    cls: type[LeaderPolicy],
    clicked: list[list[int]],
    shown: list[list[int]],
    seen: int = 0,
    **options: Any,
) -> Any:
    """A policy that has counted this, by position and item, with its leader for `seen` rounds."""
    policy = cls(len(clicked[0]), len(clicked), **options)
    counts = {"clicked": np.array(clicked), "shown": np.array(shown)}
    none = {"leader_keys": np.zeros(0, np.uint64), "leader_counts": np.zeros(0, np.int64)}
    policy.restore({**counts, **none})
    assert policy.leader  # which enters it into the table
    met = policy.statistics()
    policy.restore({**counts, "leader_keys": met["leader_keys"], "leader_counts": np.array([seen])})
    return policy


def neighbours_of(policy: LeaderPolicy) -> set[tuple[int, ...]]:
    """Lists that differ from the leader and that the policy weighs: one more round tells."""
    policy.rank()
    state, lists = policy.state, set()
    for number, (k, other) in enumerate(zip(state.first, state.other, strict=True)):
        items = state.leader.items.tolist()
        if number >= state.n_swaps:
            items[k] = int(other)
        else:
            items[k], items[other] = items[other], items[k]
        lists.add(tuple(items))
    return lists
