"""Certificates change nothing but the time that a round takes."""

from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from unirank.lab.simulation.game import Game
from unirank.policies import DCMKLUCB, CascadeKLUCB

N_ROUNDS = 30_000


def game_of(cls: Any, problem: str) -> Game:
    users, n_positions = PROBLEMS[problem]
    return Game(
        cls(users.n_items, n_positions),
        users,
        seed=3,
        game=1,
        best_value=users.value(users.best_ranking(n_positions)),
        checkpoints=np.arange(10, N_ROUNDS + 1, 10),
    )


@pytest.mark.parametrize("cls", [CascadeKLUCB, DCMKLUCB])
@pytest.mark.parametrize("problem", ["simul-cm", "simul-pbm", "ties-pbm", "all-items-shown"])
def test_a_game_is_the_same_without_certificates(cls: Any, problem: str) -> None:
    game, sorting = (game_of(cls, problem) for _ in range(2))
    n_proved = 0
    for stop in range(1, N_ROUNDS + 1):
        n_proved += int(sorting.policy.state.now["certain_until"][0] > 0)
        sorting.policy.state.now["certain_until"] = 0
        sorting.advance(stop)
        if stop % 100 == 0:
            game.advance(stop)
            cells, others = (one.policy.state.cells for one in (game, sorting))
            assert cells["shown"].tolist() == others["shown"].tolist()
            assert cells["clicked"].tolist() == others["clicked"].tolist()
    assert n_proved > N_ROUNDS / 10
    assert game.regret.tolist() == sorting.regret.tolist()


def test_a_certificate_ends_when_a_late_answer_changes_another_item() -> None:
    game = game_of(CascadeKLUCB, "simul-cm")
    game.advance(N_ROUNDS)
    while game.policy.state.now["certain_until"][0] == 0:
        game.advance(game.rounds + 1)
    state = game.policy.state
    game.policy.kernels.update(state, state.order[::-1][:5].copy(), np.zeros(5, np.bool_))
    assert state.now["certain_until"][0] == 0
