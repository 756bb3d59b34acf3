"""Games of SAM and OSUB on their own problems."""

from itertools import combinations

import numpy as np
import pytest

from tests.reference.matching import SimpleAdaptiveMatchingTwin
from tests.reference.osub import GraphOSUBTwin
from tests.reference.randomness import USERS, Rng, game_shuffle
from unirank import ArgumentError
from unirank.lab import MatchingProblem, UnimodalProblem, play_matching, play_unimodal

EIGHT = MatchingProblem([0.95, 0.9, 0.7, 0.65, 0.4, 0.35, 0.1, 0.05])
LINE = UnimodalProblem.line([0.1, 0.3, 0.5, 0.3, 0.1])


def test_a_game_of_sam_is_that_of_the_literal_twin() -> None:
    curves = play_matching(
        EIGHT, n_rounds=300, n_games=2, seed=3, horizon=4, checkpoints=range(1, 301)
    )
    for game in range(2):
        quality = EIGHT.quality[game_shuffle(3, game, 8)]
        twin = SimpleAdaptiveMatchingTwin(8, horizon=4)
        lost = []
        for round_ in range(1, 301):
            rng, pairs = Rng(3, game, USERS, round_), twin.match()
            twin.update(
                [rng.uniform(min(p) * 8 + max(p)) < quality[p[0]] * quality[p[1]] for p in pairs]
            )
            lost.append(EIGHT.best_value - sum(quality[i] * quality[j] for i, j in pairs))
        np.testing.assert_allclose(curves.regret[game], np.cumsum(lost), atol=1e-9)


def test_sam_loses_far_less_than_uniform_matching() -> None:
    n_rounds = 20_000
    curves = play_matching(EIGHT, n_rounds=n_rounds, n_games=3)
    by_chance = 4 * np.mean(
        [EIGHT.quality[i] * EIGHT.quality[j] for i, j in combinations(range(8), 2)]
    )
    uniform_loss = (EIGHT.best_value - by_chance) * n_rounds
    assert curves.mean[-1] < uniform_loss / 5


def test_the_horizon_is_the_number_of_rounds_unless_told() -> None:
    one, same, longer = (
        play_matching(EIGHT, n_rounds=3000, n_games=2, horizon=horizon)
        for horizon in (None, 3000, 10**9)
    )
    assert np.array_equal(one.regret, same.regret)
    assert longer.mean[-1] > one.mean[-1]


def test_sam_needs_a_matching_problem_and_a_scale() -> None:
    with pytest.raises(ArgumentError, match="problem must be a MatchingProblem, got 3"):
        play_matching(3, n_rounds=10)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"horizon must be in 1..\d+, got 0"):
        play_matching(EIGHT, n_rounds=10, horizon=0)
    with pytest.raises(ArgumentError, match=r"n_rounds must be in 1..\d+, got 0"):
        play_matching(EIGHT, n_rounds=0)


@pytest.mark.parametrize("budget", ["kl-ucb", "ln"])
def test_a_game_of_osub_is_that_of_the_literal_twin(budget: str) -> None:
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
    curves = play_unimodal(LINE, n_rounds=10**4, n_games=5)
    assert 30 < curves.mean[-1] < 150
    uniform_play = (0.4 + 0.2 + 0.2 + 0.4) / 5 * 10**5
    assert curves.mean[-1] < uniform_play / 100


def test_osub_needs_a_unimodal_problem_and_a_known_budget() -> None:
    with pytest.raises(ArgumentError, match="problem must be a UnimodalProblem, got 3"):
        play_unimodal(3, n_rounds=10)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="budget"):
        play_unimodal(LINE, n_rounds=10, budget="log")
