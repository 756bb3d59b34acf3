"""Regret in other objectives than clicks: the same games, another measure."""

from typing import Any

import numpy as np
import pytest

from tests.reference import click_models as twins
from tests.reference.randomness import USERS, Rng, game_shuffle
from tests.users.test_objective import Silent
from unirank import DBN, ArgumentError, simulate
from unirank.policies import registry
from unirank.users.objective import OBJECTIVES

ATTRACTION, SATISFACTION = [0.5, 0.4, 0.2, 0.2, 0.05], [0.9, 0.1, 0.5, 0.5, 0.0]
DBN_USERS = DBN(ATTRACTION, SATISFACTION, 0.05)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", ["unirank", "plain-unirank"])
def test_regret_is_that_of_a_literal_game(name: str, objective: str) -> None:
    seed, n_rounds = 5, 200
    order = game_shuffle(seed, 0, 5)
    here = twins.DBN([ATTRACTION[i] for i in order], [SATISFACTION[i] for i in order], 0.05)
    policy = registry[name](5, 3, seed=seed)
    lost = []
    for round_ in range(1, n_rounds + 1):
        shown = policy.rank()
        items = [int(item) for item in shown.items]
        clicks = here.clicks(items, Rng(seed, 0, USERS, round_))
        policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])
        lost.append(DBN_USERS.best_value(3, objective) - here.value(items, objective))
    trace = simulate(
        name,
        DBN_USERS,
        n_positions=3,
        n_rounds=n_rounds,
        n_games=1,
        seed=seed,
        checkpoints=range(1, n_rounds + 1),
        objective=objective,
    )
    np.testing.assert_allclose(trace.regret[0], np.cumsum(lost), atol=1e-9)


@pytest.mark.parametrize("objective", ["any-click", "first-click"])
def test_skipping_changes_no_bit(objective: str) -> None:
    skipped, played = (
        simulate(
            "unirank",
            DBN_USERS,
            n_positions=3,
            n_rounds=100_000,
            n_games=2,
            seed=11,
            skip=skip,
            objective=objective,
        )
        for skip in (True, False)
    )
    assert np.array_equal(skipped.regret, played.regret)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_best_ranking_under_the_objective_loses_nothing(objective: str) -> None:
    scale: dict[str, Any] = {"n_positions": 3, "n_rounds": 50, "n_games": 2}
    oracle = ("oracle", {"ranking": "told"})
    trace = simulate(oracle, DBN_USERS, objective=objective, **scale)
    assert not trace.regret.any()
    assert tuple(trace.best_ranking) == DBN_USERS.best_ranking(3, objective)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_round_has_negative_regret(objective: str) -> None:
    users = DBN([0.4, 0.4, 0.4, 0.1], [0.3, 0.3, 0.3, 0.9], 0.0)  # many rankings tie exactly
    trace = simulate(
        "random",
        users,
        n_positions=3,
        n_rounds=2000,
        n_games=2,
        checkpoints=range(1, 2001),
        objective=objective,
    )
    assert (np.diff(trace.regret, prepend=0.0) >= 0).all()


def test_what_cannot_be_measured_is_refused_before_any_game() -> None:
    scale: dict[str, Any] = {"n_positions": 1, "n_rounds": 10}
    with pytest.raises(ArgumentError, match="add first_click to its ClickKernels"):
        simulate("random", Silent([0.1, 0.2]), objective="any-click", **scale)
    with pytest.raises(ArgumentError, match="unknown objective 'click'; did you mean 'clicks'"):
        simulate("random", DBN_USERS, objective="click", **scale)
