"""Games of the bandits that UniRank descends from, on their own problems instead of rankings.

`unimodal_bandit.py` and `matching_bandit.py` say how a round is played; here are the games.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation import checkpoints as rounds_of
from unirank.lab.simulation.games import check_scale


class RegretCurves(NamedTuple):
    """Cumulative pseudo-regret: `regret[g, c]` is that of game g after `rounds[c]` rounds."""

    rounds: NDArray[np.int64]  # (n_checkpoints,)
    regret: NDArray[np.float64]  # (n_games, n_checkpoints)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean regret over games, by checkpoint."""
        return np.asarray(self.regret.mean(axis=0))


def play_games(
    losses: Callable[[int], Iterator[float]],
    *,
    n_rounds: int,
    n_games: int,
    seed: int,
    checkpoints: Iterable[int] | None,
) -> RegretCurves:
    """Play games 0 .. n_games - 1; `losses(game)` plays one, and yields what each round loses."""
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed)
    rounds = rounds_of.checked(checkpoints, n_rounds)
    games = [islice(losses(game), n_rounds) for game in range(n_games)]
    return RegretCurves(
        rounds, np.stack([np.cumsum(np.fromiter(game, float))[rounds - 1] for game in games])
    )
