"""Many games on many threads: order, progress, stopping and errors."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.toy_policies import Toy
from unirank import CM, UnirankError, simulate
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.scheduler import play_games
from unirank.policies import RandomOrder
from unirank.policies.kernels.compiling import compiled

USERS = CM([0.5, 0.4, 0.2, 0.1])


class CountedError(Exception):
    pass


class SmallPlan(NamedTuple):
    n_rounds: int = 1000
    kind: type[Game] = Game

    def new_game(self, number: int) -> Game:
        return self.kind(
            RandomOrder(4, 2, seed=0),
            USERS,
            seed=0,
            game=number,
            best_value=USERS.best_value(2),
            checkpoints=np.array([self.n_rounds]),
        )


def ignored(*_: Any) -> None: ...


@pytest.mark.parametrize("n_workers", [1, 3])
def test_every_game_is_played_once_whatever_the_number_of_threads(n_workers: int) -> None:
    found: dict[int, float] = {}
    seen = []
    play_games(
        [(SmallPlan(1000 + number), number) for number in range(7)],
        n_workers,
        lambda place, game: found.update({place: float(game.regret[0])}),
        lambda rounds, games: seen.append((rounds, games)),
    )
    assert seen[-1] == (7021, 7)
    for place, regret in found.items():
        alone = SmallPlan(1000 + place).new_game(place)
        alone.advance(1000 + place)
        assert regret == alone.regret[0]
    assert sorted(found) == list(range(7))


def test_what_the_watcher_raises_stops_every_game() -> None:
    done: list[int] = []

    def impatient(rounds: int, games: int) -> None:
        if games:
            raise CountedError

    games = [(SmallPlan(10), 0), *((SmallPlan(10**12), number) for number in range(1, 50))]
    with pytest.raises(CountedError):
        play_games(games, 2, lambda place, game: done.append(place), impatient)
    assert done == [0]


def test_an_error_in_a_game_is_not_swallowed() -> None:
    class BrokenGame(Game):
        def advance(self, stop: int) -> None:
            if stop > 0:
                raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError):
        play_games([(SmallPlan(kind=BrokenGame), 0)], 1, ignored, ignored)


@compiled
def unknown_name(state: Any, rng: Any, ranking: Any) -> None:
    ranking[0] = state.nothing


class NotCompiling(Toy):
    kernels = Toy.kernels._replace(rank=unknown_name)


def test_a_policy_that_does_not_compile_is_named_with_what_to_do() -> None:
    with pytest.raises(UnirankError) as caught:
        simulate(NotCompiling, USERS, n_positions=1, n_rounds=10)
    assert str(caught.value).startswith("NotCompiling on cm does not compile: ")
    assert f"unirank check {__name__}:NotCompiling" in str(caught.value)
