"""Games of the bandits on their problems: `play_unimodal` and `play_matching`.

They are played by the round loop of `unirank.lab.simulation`.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.lab.ancestors.graph_osub import GraphOSUB
from unirank.lab.ancestors.matching_problem import MatchingProblem
from unirank.lab.ancestors.simple_adaptive_matching import SimpleAdaptiveMatching
from unirank.lab.ancestors.unimodal_problem import UnimodalProblem
from unirank.lab.simulation import checkpoints as rounds_of
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.games import check_scale
from unirank.lab.simulation.scheduler import cpu_count, play_games


class RegretCurves(NamedTuple):
    """Cumulative pseudo-regret: `regret[g, c]` is that of game g after `rounds[c]` rounds."""

    rounds: NDArray[np.int64]  # (n_checkpoints,)
    regret: NDArray[np.float64]  # (n_games, n_checkpoints)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean regret over games, by checkpoint."""
        return np.asarray(self.regret.mean(axis=0))


class _BanditPlan(NamedTuple):
    """Games of a bandit that is no policy."""

    new_game: Callable[[int], Game]
    n_rounds: int


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

    Parameters
    ----------
    problem
        The arms and their graph.
    budget
        "kl-ucb" (ln t + 3 ln ln t) or "ln" (ln t).

    Examples
    --------
    >>> curves = play_unimodal(UnimodalProblem.line([0.1, 0.9]), n_rounds=1000, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, UnimodalProblem):
        raise ArgumentError(f"problem must be a UnimodalProblem, got {problem!r}")

    def new_bandit() -> GraphOSUB:
        return GraphOSUB(problem.neighbours, budget=budget)

    return _played(problem, new_bandit, n_rounds, n_games, seed, checkpoints)


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

    Items are shuffled for each game.

    Parameters
    ----------
    problem
        The items and their qualities.
    horizon
        What SAM is told; by default n_rounds.

    Examples
    --------
    >>> curves = play_matching(MatchingProblem([0.9, 0.1, 0.2, 0.8]), n_rounds=100, n_games=2)
    >>> curves.regret.shape == (2, len(curves.rounds))
    True
    """
    if not isinstance(problem, MatchingProblem):
        raise ArgumentError(f"problem must be a MatchingProblem, got {problem!r}")

    def new_bandit() -> SimpleAdaptiveMatching:
        horizon_told = n_rounds if horizon is None else horizon
        return SimpleAdaptiveMatching(problem.n_items, horizon=horizon_told)

    return _played(problem, new_bandit, n_rounds, n_games, seed, checkpoints)


def _played(
    problem: UnimodalProblem | MatchingProblem,
    new_bandit: Callable[[], GraphOSUB | SimpleAdaptiveMatching],
    n_rounds: int,
    n_games: int,
    seed: int,
    checkpoints: Iterable[int] | None,
) -> RegretCurves:
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed)
    rounds = rounds_of.checked(checkpoints, n_rounds)
    new_bandit()  # raises errors of its options before anything is played
    best_value = problem.best_value
    regret = np.zeros((n_games, len(rounds)))

    def new_game(number: int) -> Game:
        return Game(
            new_bandit(),
            problem,
            seed=seed,
            game=number,
            best_value=best_value,
            checkpoints=rounds,
        )

    def done(place: int, game: Game) -> None:
        regret[place] = game.regret

    plan = _BanditPlan(new_game, n_rounds)
    games = [(plan, number) for number in range(n_games)]
    play_games(games, cpu_count(), done, lambda rounds, games: None)
    return RegretCurves(rounds, regret)
