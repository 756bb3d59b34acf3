"""The compiled loop plays the same game as the literal twins, with and without skipping."""

import numpy as np
import pytest

from tests.reference.click_models import CM as CMTwin
from tests.reference.game import play
from tests.reference.random_order import RandomTwin
from tests.reference.randomness import game_shuffle
from tests.reference.uni_rank import UniRankTwin
from tests.simulation.problems import PROBLEMS
from unirank import CM, simulate

ATTRACTION = [0.5, 0.4, 0.2, 0.2, 0.05]


@pytest.mark.parametrize(("name", "twin"), [("unirank", UniRankTwin), ("random", RandomTwin)])
def test_regret_is_that_of_the_literal_game(name: str, twin: type) -> None:
    seed, game, n_rounds = 5, 1, 500
    users = CM(ATTRACTION)
    order = game_shuffle(seed, game, users.n_items)
    literal = play(
        twin(users.n_items, 2, seed=seed, game=game),
        CMTwin([ATTRACTION[item] for item in order]),
        n_rounds,
        users.best_value(2),
        seed,
        game,
    )
    expected = np.cumsum([lost for _, _, lost in literal])
    every_round = range(1, n_rounds + 1)
    trace = simulate(
        name, users, n_positions=2, n_rounds=n_rounds, n_games=2, seed=seed, checkpoints=every_round
    )
    np.testing.assert_allclose(trace.regret[game], expected, atol=1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("early", ["leader", "explore"])
def test_skipping_changes_no_bit(name: str, early: str) -> None:
    users, n_positions = PROBLEMS[name]
    skipped, played = (
        simulate(
            ("unirank", {"early": early}),
            users,
            n_positions=n_positions,
            n_rounds=10**6,
            n_games=2,
            seed=11,
            skip=skip,
        )
        for skip in (True, False)
    )
    assert np.array_equal(skipped.regret, played.regret)


def test_regret_grows_like_the_logarithm_once_the_order_is_found() -> None:
    # Twenty games of this problem lose 6 to 28 clicks in 10^5 rounds and 0.7 to 8 in the next
    # 9 10^5; a policy that kept exploring would lose tens of thousands.
    users, n_positions = PROBLEMS["all-items-shown"]
    trace = simulate("unirank", users, n_positions=n_positions, n_rounds=10**6)
    assert (trace.regret[:, -1] - trace.at(10**5) < 15).all()
    assert (np.diff(trace.regret, axis=1) >= 0).all()


def test_a_policy_that_learns_nothing_loses_the_same_each_round() -> None:
    users, n_positions = PROBLEMS["all-items-shown"]
    trace = simulate("random", users, n_positions=n_positions, n_rounds=10**5)
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    per_round = users.best_value(3) - np.mean([users.value(order) for order in orders])
    assert trace.mean[-1] / 10**5 == pytest.approx(per_round, rel=0.01)
