"""GRAB and S-GRAB beside their literal twins, and put into chosen situations."""

from typing import Any

import numpy as np

from tests.reference.click_models import ClickModel
from tests.reference.grab import GRABTwin
from tests.reference.randomness import USERS, Rng
from unirank import Policy, Ranking
from unirank.policies.grab.state import LeaderPolicy

N_ROUNDS = 2000


def clicks_of(users: ClickModel, shown: Ranking, seed: int) -> list[bool]:
    return users.clicks([int(i) for i in shown.items], Rng(seed, 0, USERS, shown.round))


def answer(policy: Policy, shown: Ranking, clicks: list[bool]) -> None:
    policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])


def agree(policy: LeaderPolicy, twin: GRABTwin, users: ClickModel, *, delay: int = 0) -> None:
    """Both give the same rankings and count the same, with answers `delay` rounds late."""
    waiting: list[tuple[Ranking, list[bool]]] = []
    for round_ in range(1, N_ROUNDS + 1):
        expected = twin.rank()
        shown = policy.rank()
        assert list(shown.items) == expected, f"round {round_}"
        assert shown.propensity == 1 / max(twin.n_tied, 1)
        waiting.append((shown, clicks_of(users, shown, policy.seed)))
        if len(waiting) > delay:
            shown, clicks = waiting.pop((7 * round_) % len(waiting))
            answer(policy, shown, clicks)
            twin.update([int(i) for i in shown.items], clicks)
    statistics = policy.statistics()
    np.testing.assert_array_equal(statistics["shown"], twin.shown)
    np.testing.assert_array_equal(statistics["clicked"], twin.clicked)
    assert sorted(statistics["leader_counts"].tolist()) == sorted(twin.lead.values())
    assert policy.leader == twin.leader()


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
    for name, (k, other) in enumerate(zip(state.first, state.other, strict=True)):
        items = state.leader.items.tolist()
        if name >= state.n_swaps:
            items[k] = int(other)
        else:
            items[k], items[other] = items[other], items[k]
        lists.add(tuple(items))
    return lists
