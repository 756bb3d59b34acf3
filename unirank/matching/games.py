"""Many games of SAM on a matching problem: `play_matching`."""

from collections.abc import Iterable
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.shuffling import game_order
from unirank.matching.problem import MatchingProblem, draw, value
from unirank.matching.simple_adaptive_matching import (
    choose,
    initial_state,
    learn,
)
from unirank.simulation.bandit_games import Bandit, RegretCurves, play


def play_matching(
    problem: MatchingProblem,
    *,
    n_rounds: int,
    n_games: int = 20,
    seed: int = 0,
    horizon: int | None = None,
    checkpoints: Iterable[int] | None = None,
) -> RegretCurves:
    """Regret of SAM in independent games, at `checkpoints`, log-spaced by default.

    `horizon` is what SAM is told, by default `n_rounds`. Items are shuffled for each game.

    >>> curves = play_matching(MatchingProblem([0.9, 0.1, 0.2, 0.8]), n_rounds=100, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, MatchingProblem):
        raise ArgumentError(f"problem must be a MatchingProblem, got {problem!r}")
    n_items = problem.n_items
    told = arguments.integer("n_rounds", n_rounds, 1) if horizon is None else horizon
    told = arguments.horizon("horizon", told)

    def new_game(number: int) -> tuple[Any, Any]:
        order = game_order(n_items, seed, number)
        return initial_state(n_items, told), problem.shuffled(order)

    return play(
        Bandit("matching", choose, draw, learn, value, n_items, n_items // 2),
        new_game,
        problem.best_value,
        n_rounds=n_rounds,
        n_games=n_games,
        seed=seed,
        checkpoints=checkpoints,
    )
