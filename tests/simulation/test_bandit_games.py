"""The loop of bandits without rankings, on a bandit that only counts."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from unirank import ArgumentError
from unirank.kernels.compiling import compiled
from unirank.kernels.randomness import Rng, uniform
from unirank.simulation.bandit_games import Bandit, RegretCurves, bound_later, play


class Counter(NamedTuple):
    rounds: NDArray[np.int64]
    gained: NDArray[np.float64]


@compiled
def choose(state: Counter, rng: Rng, action: NDArray[np.int64]) -> None:
    action[0] = state.rounds[0] % 2
    state.rounds[0] += 1


@compiled
def draw(model: Any, action: NDArray[np.int64], rng: Rng, outcomes: NDArray[np.float64]) -> None:
    outcomes[0] = 1.0 if uniform(rng, 0) < model[action[0]] else 0.0


@compiled
def learn(state: Counter, action: NDArray[np.int64], outcomes: NDArray[np.float64]) -> None:
    state.gained[action[0]] += outcomes[0]


@compiled
def value(model: Any, action: NDArray[np.int64]) -> float:
    return model[action[0]]


ALTERNATING = Bandit("alternating", choose, draw, learn, value, action_size=1, n_outcomes=1)
MEANS = np.array([0.75, 0.25])


def played(**settings: Any) -> tuple[RegretCurves, list[Counter]]:
    states: list[Counter] = []

    def new_game(number: int) -> tuple[Any, Any]:
        states.append(Counter(np.zeros(1, np.int64), np.zeros(2)))
        return states[-1], MEANS

    scale: dict[str, Any] = {"n_rounds": 1001, "n_games": 3, "seed": 5, "checkpoints": None}
    return play(ALTERNATING, new_game, 0.75, **{**scale, **settings}), states


def test_regret_is_what_the_actions_lose_on_average() -> None:
    curves, _ = played()
    assert curves.rounds[-1] == 1001
    np.testing.assert_allclose(curves.regret, np.tile(curves.rounds // 2 * 0.5, (3, 1)))
    np.testing.assert_allclose(curves.mean, curves.rounds // 2 * 0.5)


def test_games_see_numbers_of_their_own_and_the_same_seed_the_same() -> None:
    _, first = played()
    _, second = played()
    gained = [state.gained.tolist() for state in first]
    assert gained == [state.gained.tolist() for state in second]
    assert len({tuple(one) for one in gained}) == 3
    for state in first:
        assert state.gained[0] == pytest.approx(501 * 0.75, abs=45)
        assert state.gained[1] == pytest.approx(500 * 0.25, abs=45)


def test_checkpoints_change_nothing_but_where_regret_is_told() -> None:
    curves, _ = played(checkpoints=[1000, 10])
    assert curves.rounds.tolist() == [10, 1000]
    np.testing.assert_allclose(curves.regret[0], [2.5, 250.0])


@pytest.mark.parametrize("scale", [{"n_rounds": 0}, {"n_games": 0}, {"seed": -1}])
def test_a_wrong_scale_is_named(scale: dict[str, int]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(scale))):
        played(**scale)


def test_the_loop_itself_plays_nothing() -> None:
    with pytest.raises(AssertionError, match="bound to a bandit"):
        bound_later()
