"""The leader of a policy at some rounds of one game."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.simulation.checkpoints import checked
from unirank.policies import Policy
from unirank.policies.base.leader import ItemId, Leader, leader_of
from unirank.users import ClickModel


@dataclass(frozen=True, eq=False)
class LeaderHistory:
    """The leaders of a policy after each of `rounds`."""

    policy: str
    items: tuple[ItemId, ...]
    n_positions: int
    rounds: NDArray[np.int64]
    leaders: tuple[Leader, ...]


def follow_leader(
    policy: Policy,
    users: ClickModel,
    n_rounds: int,
    *,
    seed: int = 0,
    checkpoints: Iterable[int] | None = None,
) -> LeaderHistory:
    """Play `n_rounds` more rounds of `policy` and record its leader at checkpoints.

    Item n of the click model is the n-th of the policy's. Checkpoints count from the first of these
    rounds; by default they are log-spaced. Rounds are played one by one, which is fast enough for
    thousands of rounds; `simulate` plays millions.

    >>> from unirank.users import CM
    >>> from unirank.policies import UniRank
    >>> policy = UniRank(items=["a", "b", "c"], n_positions=1)
    >>> history = follow_leader(policy, CM([0.1, 0.9, 0.1]), 1000, checkpoints=[1000])
    >>> history.leaders[0]
    Leader(groups=(('b',),), below=('a', 'c'))
    """
    leader_of(policy)  # raises ArgumentError if it has none
    if not isinstance(users, ClickModel):
        raise ArgumentError(f"users must be a click model, got {users!r:.80}")
    if users.n_items != policy.n_items:
        raise ArgumentError(
            f"users must be a click model of the policy's {policy.n_items} items, "
            f"got {users.n_items}"
        )
    users.check_n_positions(policy.n_positions)
    n_rounds = arguments.integer("n_rounds", n_rounds, 1)
    rounds = checked(checkpoints, n_rounds) + policy.round
    noted = set(rounds.tolist())
    leaders = []
    for _ in range(n_rounds):
        shown = policy.rank()
        clicks = users.draw_clicks(policy.last_ranking, seed=seed, round=shown.round)
        pairs = zip(shown.items, clicks.tolist(), strict=True)
        policy.update(shown, [item for item, clicked in pairs if clicked])
        if policy.round in noted:
            leaders.append(leader_of(policy))
    return LeaderHistory(policy.name, policy.items, policy.n_positions, rounds, tuple(leaders))
