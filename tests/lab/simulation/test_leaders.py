"""What is noted of a game is what the policy said at those rounds."""

import numpy as np
import pytest

from unirank import CM, PBM, ArgumentError, UniRank
from unirank.lab.simulation import follow_leader
from unirank.policies import GRAB, RandomOrder
from unirank.policies.base.leader import leader_of

USERS = CM([0.2, 0.7, 0.4, 0.1])


def test_leaders_are_those_of_a_game_played_by_hand() -> None:
    policy = UniRank(list("abcd"), 2, seed=5)
    history = follow_leader(policy, USERS, 300, seed=9, checkpoints=[1, 30, 300])
    twin = UniRank(list("abcd"), 2, seed=5)
    leaders = []
    for number in range(1, 301):
        shown = twin.rank()
        clicks = USERS.draw_clicks(
            ["abcd".index(str(i)) for i in shown.items], seed=9, round=number
        )
        twin.update(shown, [item for item, click in zip(shown.items, clicks, strict=True) if click])
        if number in (1, 30, 300):
            leaders.append(leader_of(twin))
    assert history.leaders == tuple(leaders)
    assert history.rounds.tolist() == [1, 30, 300]
    assert (history.policy, history.n_positions) == ("unirank", 2)
    assert history.items == ("a", "b", "c", "d")
    assert history.leaders[-1].groups[0] == ("b",)


def test_a_policy_goes_on_where_it_was() -> None:
    once = UniRank(4, 2, seed=5)
    whole = follow_leader(once, USERS, 200, seed=9, checkpoints=[150, 160, 200])
    policy = UniRank(4, 2, seed=5)
    follow_leader(policy, USERS, 100, seed=9, checkpoints=[1])  # all 100 are played
    assert policy.round == 100
    rest = follow_leader(policy, USERS, 100, seed=9, checkpoints=[50, 60, 100])
    assert rest.rounds.tolist() == whole.rounds.tolist()
    assert rest.leaders == whole.leaders


def test_any_policy_with_a_leader_can_be_followed() -> None:
    history = follow_leader(GRAB(4, 2), USERS, 100)
    assert np.array_equal(history.rounds[[0, -1]], [1, 100])
    assert len(history.leaders) == len(history.rounds)
    assert all(len(leader.groups) == 2 for leader in history.leaders)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ArgumentError, match=r"^policy must be one that has a leader"):
        follow_leader(RandomOrder(4, 2), USERS, 10)
    with pytest.raises(ArgumentError, match=r"^users must be a click model, got 'cm'"):
        follow_leader(UniRank(4, 2), "cm", 10)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"^users must be .* of the policy's 5 items, got 4"):
        follow_leader(UniRank(5, 2), USERS, 10)
    with pytest.raises(ArgumentError, match=r"^n_positions must be in 1..positions"):
        follow_leader(UniRank(2, 2), PBM([0.5, 0.1], [1.0]), 10)
    with pytest.raises(ArgumentError, match=r"^n_rounds must be >= 1, got 0"):
        follow_leader(UniRank(4, 2), USERS, 0)
    with pytest.raises(ArgumentError, match=r"^checkpoints must be in 1..n_rounds=10, got 11"):
        follow_leader(UniRank(4, 2), USERS, 10, checkpoints=[11])
