"""MatchRanks that have learnt something, for the tests of what they say."""

import numpy as np

from unirank import PBM, MatchRank
from unirank.policies.match_rank.guard import weigh

USERS = PBM(attraction=[0.25, 0.4, 0.35, 0.2], examination=[1.0, 0.6])
ITEMS = ["tea", "mug", "pot", "tray"]


def play(policy: MatchRank, n_rounds: int, users: PBM = USERS) -> MatchRank:
    for _ in range(n_rounds):
        shown = policy.rank()
        places = [policy.items.index(item) for item in shown]
        clicks = users.draw_clicks(places, seed=1, round=shown.round)
        policy.update(shown, [item for item, c in zip(shown, clicks, strict=True) if c])
    return policy


def played(n_rounds: int) -> MatchRank:
    return play(MatchRank(ITEMS, 2, seed=7), n_rounds)


def sized(
    n_items: int, n_positions: int, n_rounds: int, items: list[str] | None = None
) -> MatchRank:
    users = PBM(np.linspace(0.5, 0.05, n_items), np.linspace(1.0, 0.3, n_positions))
    return play(MatchRank(items or n_items, n_positions, seed=3), n_rounds, users)


def put_test(policy: MatchRank, above: int, other: int, gain: float, spread: float) -> None:
    """Make the tests of two items have these sums."""
    state = policy.state
    state.gain[above, other], state.gain[other, above] = gain, -gain
    state.spread[above, other] = state.spread[other, above] = spread
    weigh(state, above, other)


def overruled() -> MatchRank:
    """The model prefers mug (1) to pot (2), but tests decide for pot."""
    policy = played(1000)
    assert policy.leader == ("mug", "pot")
    put_test(policy, 2, 1, gain=30.0, spread=20.0)
    return policy
