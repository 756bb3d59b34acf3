"""Games of OSUB on a unimodal problem: the object's, many of them, and cheap."""

import numpy as np
import pytest

from tests.reference.osub import GraphOSUBTwin
from tests.reference.randomness import USERS, Rng
from unirank import ArgumentError, UnimodalProblem, play_unimodal

LINE = UnimodalProblem.line([0.1, 0.3, 0.5, 0.3, 0.1])


@pytest.mark.parametrize("budget", ["kl-ucb", "ln"])
def test_a_game_is_that_of_the_literal_twin(budget: str) -> None:
    curves = play_unimodal(
        LINE, n_rounds=1000, n_games=3, seed=9, budget=budget, checkpoints=range(1, 1001)
    )
    for game in range(3):
        twin = GraphOSUBTwin(LINE.neighbours, budget=budget, seed=9, game=game)
        lost = []
        for round_ in range(1, 1001):
            arm = twin.choose()
            paid = Rng(9, game, USERS, round_).uniform(arm) < LINE.means[arm]
            twin.update(arm, float(paid))
            lost.append(0.5 - LINE.means[arm])
        np.testing.assert_allclose(curves.regret[game], np.cumsum(lost), atol=1e-9)


def test_regret_is_close_to_the_least_possible_growth() -> None:
    # The bound is sum of (mu* - mu) / kl(mu, mu*) ln T = 2 * .2 / kl(.3, .5) * 11.5 = 55.9.
    curves = play_unimodal(LINE, n_rounds=10**5, n_games=10)
    assert 30 < curves.mean[-1] < 150
    uniform_play = (0.4 + 0.2 + 0.2 + 0.4) / 5 * 10**5
    assert curves.mean[-1] < uniform_play / 100


def test_what_is_not_a_problem_is_refused() -> None:
    with pytest.raises(ArgumentError, match="problem must be a UnimodalProblem, got 3"):
        play_unimodal(3, n_rounds=10)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="budget"):
        play_unimodal(LINE, n_rounds=10, budget="log")
