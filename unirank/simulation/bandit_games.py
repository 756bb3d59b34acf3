"""Games of bandits that show no ranking: an action, outcomes, regret. One loop for all of them.

choose(state, rng, action)             fills `action`, an array of integers
draw(model, action, rng, outcomes)     what happens, an array of numbers
learn(state, action, outcomes)         the bandit sees it
value(model, action) -> float          its expectation, from the true parameters
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.kernels.compiling import bind
from unirank.kernels.randomness import POLICY, USERS, at_round, stream_key
from unirank.simulation import checkpoints as rounds_of
from unirank.simulation.games import check_scale


class RegretCurves(NamedTuple):
    """Cumulative pseudo-regret: `regret[g, c]` is that of game g after `rounds[c]` rounds."""

    rounds: NDArray[np.int64]  # (n_checkpoints,)
    regret: NDArray[np.float64]  # (n_games, n_checkpoints)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean regret over games, by checkpoint."""
        return np.asarray(self.regret.mean(axis=0))


class Bandit(NamedTuple):
    """The compiled side of one kind of bandit and of its problem."""

    name: str
    choose: Callable[..., None]
    draw: Callable[..., None]
    learn: Callable[..., None]
    value: Callable[..., float]
    action_size: int
    n_outcomes: int


def bound_later(*_: Any) -> Any:
    """Placeholder for the functions that `play` puts in."""
    raise AssertionError("play_rounds must be bound to a bandit")


choose = draw = learn = value = bound_later


def play_rounds(
    state: Any,
    model: Any,
    policy_key: np.uint64,
    users_key: np.uint64,
    best_value: float,
    start: int,
    stop: int,
    action: NDArray[np.int64],  # scratch
    outcomes: NDArray[np.float64],  # scratch
) -> float:
    """Play rounds start + 1 .. stop; return the regret of these."""
    lost = 0.0
    for round_ in range(start + 1, stop + 1):
        choose(state, at_round(policy_key, round_), action)
        draw(model, action, at_round(users_key, round_), outcomes)
        learn(state, action, outcomes)
        lost += best_value - value(model, action)
    return lost


def play(
    bandit: Bandit,
    new_game: Callable[[int], tuple[Any, Any]],  # number -> state of a bandit, model
    best_value: float,
    *,
    n_rounds: int,
    n_games: int,
    seed: int,
    checkpoints: Iterable[int] | None,
) -> RegretCurves:
    """Play independent games, one after the other."""
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed)
    rounds = rounds_of.checked(checkpoints, n_rounds)
    kernels = {name: getattr(bandit, name) for name in ("choose", "draw", "learn", "value")}
    loop: Any = bind(play_rounds, bandit.name, **kernels)
    action = np.zeros(bandit.action_size, np.int64)
    outcomes = np.zeros(bandit.n_outcomes)
    regret = np.zeros((n_games, len(rounds)))
    for number in range(n_games):
        state, model = new_game(number)
        keys = [np.uint64(stream_key(seed, number, stream)) for stream in (POLICY, USERS)]
        start = 0
        for place, stop in enumerate(rounds.tolist()):
            lost = loop(state, model, *keys, best_value, start, stop, action, outcomes)
            regret[number, place] = regret[number, place - 1] * (place > 0) + lost
            start = stop
    return RegretCurves(rounds, regret)
