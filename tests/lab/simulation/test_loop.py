"""The compiled loop plays the same game as a literal one, with and without skipping."""

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from tests.reference.click_models import CM as LiteralCM
from tests.reference.randomness import USERS, Rng, game_shuffle
from unirank import CM, simulate
from unirank.policies import registry

ATTRACTION = [0.5, 0.4, 0.2, 0.2, 0.05]


@pytest.mark.parametrize("name", ["unirank", "random", "plain-unirank"])
def test_regret_is_that_of_a_literal_game(name: str) -> None:
    seed, n_rounds, users = 5, 500, CM(ATTRACTION)
    order = game_shuffle(seed, 0, users.n_items)
    here = LiteralCM([ATTRACTION[item] for item in order])
    policy = registry[name](users.n_items, 2, seed=seed)
    lost = []
    for round_ in range(1, n_rounds + 1):
        shown = policy.rank()
        items = [int(item) for item in shown.items]
        clicks = here.clicks(items, Rng(seed, 0, USERS, round_))
        policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])
        lost.append(users.best_value(2) - float(np.sum(here.expected_clicks(items))))
    every_round = range(1, n_rounds + 1)
    trace = simulate(
        name, users, n_positions=2, n_rounds=n_rounds, n_games=1, seed=seed, checkpoints=every_round
    )
    np.testing.assert_allclose(trace.regret[0], np.cumsum(lost), atol=1e-9)


@pytest.mark.parametrize("name", ["unirank", "random"])
def test_the_plain_edition_plays_the_same_games_bit_for_bit(name: str) -> None:
    users, n_positions = PROBLEMS["simul-pbm"]
    compiled, plain = (
        simulate(edition, users, n_positions=n_positions, n_rounds=300, n_games=3, seed=2)
        for edition in (name, f"plain-{name}")
    )
    assert np.array_equal(compiled.regret, plain.regret)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("early", ["leader", "explore"])
def test_skipping_changes_no_bit(name: str, early: str) -> None:
    users, n_positions = PROBLEMS[name]
    skipped, played = (
        simulate(
            ("unirank", {"early": early}),
            users,
            n_positions=n_positions,
            n_rounds=200_000,
            n_games=2,
            seed=11,
            skip=skip,
        )
        for skip in (True, False)
    )
    assert np.array_equal(skipped.regret, played.regret)
