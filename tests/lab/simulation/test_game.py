"""One game, however it is cut into slices."""

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from unirank.lab.simulation.game import Game
from unirank.policies import UniRank


def new_game(skip: bool) -> Game:
    users, n_positions = PROBLEMS["simul-pbm"]
    return Game(
        UniRank(users.n_items, n_positions, seed=4),
        users,
        seed=4,
        game=2,
        best_value=users.best_value(n_positions),
        checkpoints=np.array([10, 999, 30_000]),
        skip=skip,
    )


@pytest.mark.parametrize("skip", [True, False])
def test_slices_change_nothing(skip: bool) -> None:
    whole, sliced = new_game(skip), new_game(skip)
    whole.advance(30_000)
    for stop in (1, 2, 10, 11, 998, 5_000, 29_999, 30_000):
        sliced.advance(stop)
        assert sliced.rounds == stop
    assert np.array_equal(whole.regret, sliced.regret)


def test_checkpoints_not_reached_are_not_numbers() -> None:
    game = new_game(True)
    game.advance(1000)
    assert np.isnan(game.regret).tolist() == [False, False, True]


def test_a_table_that_must_grow_changes_nothing() -> None:
    users, n_positions = PROBLEMS["ties-pbm"]
    regrets = []
    for capacity in (2, 1024):
        policy = UniRank(users.n_items, n_positions, seed=1)
        policy.state = policy.state._replace(
            leader_keys=np.zeros(capacity, np.uint64), leader_counts=np.zeros(capacity, np.int64)
        )
        game = Game(
            policy,
            users,
            seed=1,
            game=0,
            best_value=users.best_value(n_positions),
            checkpoints=np.array([50_000]),
            skip=True,
        )
        game.advance(50_000)
        regrets.append(game.regret[0])
    assert regrets[0] == regrets[1]
