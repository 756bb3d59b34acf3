"""Certificates change nothing but the time that a round takes."""

from typing import Any

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from unirank.lab.simulation.game import Game
from unirank.policies import GRAB, SGRAB

N_ROUNDS = 30_000
VARIANTS = [
    (GRAB, {}),
    (GRAB, {"period": 3}),
    (GRAB, {"budget": "horizon", "horizon": 10**6}),
    (SGRAB, {}),
]


def game_of(cls: Any, options: dict[str, Any], problem: str) -> Game:
    users, n_positions = PROBLEMS[problem]
    return Game(
        cls(users.n_items, n_positions, **options),
        users,
        seed=3,
        game=1,
        best_value=users.value(users.best_ranking(n_positions)),
        checkpoints=np.arange(10, N_ROUNDS + 1, 10),
    )


@pytest.mark.parametrize(("cls", "options"), VARIANTS, ids=str)
@pytest.mark.parametrize("problem", ["simul-pbm", "ties-pbm", "all-items-shown"])
def test_a_game_is_the_same_without_certificates(
    cls: Any, options: dict[str, Any], problem: str
) -> None:
    game, searching = (game_of(cls, options, problem) for _ in range(2))
    game.advance(N_ROUNDS)
    n_proved = 0
    for stop in range(1, N_ROUNDS + 1):
        n_proved += int(searching.policy.state.now["certain_until"][0] > 0)
        searching.policy.state.now["certain_until"] = 0
        searching.advance(stop)
    assert n_proved > N_ROUNDS / 100
    assert game.regret.tolist() == searching.regret.tolist()
    cells, others = (one.policy.state.cells for one in (game, searching))
    assert cells["shown"].tolist() == others["shown"].tolist()
    assert cells["clicked"].tolist() == others["clicked"].tolist()


def test_a_certificate_ends_when_a_late_answer_changes_another_cell() -> None:
    game = game_of(GRAB, {}, "simul-pbm")
    game.advance(N_ROUNDS)
    policy = game.policy
    while policy.state.now["certain_until"][0] == 0:
        game.advance(game.rounds + 1)
    late = np.roll(policy.state.leader.items, 1)
    policy.kernels.update(policy.state, late, np.ones(5, np.bool_))
    assert policy.state.now["certain_until"][0] == 0
