"""Many games of OSUB on a unimodal problem: `play_unimodal`."""

from collections.abc import Iterable
from typing import Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.unimodal import LOGLOG_WEIGHT
from unirank.simulation.bandit_games import Bandit, RegretCurves, play
from unirank.unimodal.osub import choose, initial_state, learn
from unirank.unimodal.problem import UnimodalProblem, draw, value

BANDIT = Bandit("unimodal", choose, draw, learn, value, action_size=1, n_outcomes=1)


def play_unimodal(
    problem: UnimodalProblem,
    *,
    n_rounds: int,
    n_games: int = 20,
    seed: int = 0,
    budget: str = "kl-ucb",
    checkpoints: Iterable[int] | None = None,
) -> RegretCurves:
    """Regret of OSUB in independent games, at `checkpoints`, log-spaced by default.

    >>> curves = play_unimodal(UnimodalProblem.line([0.1, 0.9]), n_rounds=1000, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, UnimodalProblem):
        raise ArgumentError(f"problem must be a UnimodalProblem, got {problem!r}")
    weight = LOGLOG_WEIGHT[arguments.choice("budget", budget, tuple(LOGLOG_WEIGHT))]

    def new_game(number: int) -> tuple[Any, Any]:
        return initial_state(problem.neighbours, loglog_weight=weight), problem.parameters

    return play(
        BANDIT,
        new_game,
        problem.best_value,
        n_rounds=n_rounds,
        n_games=n_games,
        seed=seed,
        checkpoints=checkpoints,
    )
