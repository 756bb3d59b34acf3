"""One game: a fresh policy meets the users of one seed and game number."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation.loop import PROGRESS, loop_for
from unirank.policies.kernels.randomness import POLICY, USERS, stream_key
from unirank.users.objective import CLICKS


class Game:
    """A game in progress; `advance` plays on, `regret` fills up checkpoint by checkpoint."""

    def __init__(
        self,
        policy: Any,
        users: Any,
        *,
        seed: int,
        game: int,
        best_value: float,
        checkpoints: NDArray[np.int64],
        skip: bool = True,
        objective: str = CLICKS,
    ) -> None:
        n = policy.n_positions
        self.regret = np.full(len(checkpoints), np.nan)
        self.policy = policy
        self.users = users
        self._model = users.shuffled(users.item_order(seed, game))
        self._keys = tuple(stream_key(seed, game, s) for s in (POLICY, USERS))
        self._best_value = best_value
        self._checkpoints = checkpoints
        self._skip = skip
        self._loop = loop_for(type(policy), type(users), objective)
        self._progress = np.zeros(1, PROGRESS)
        if not policy.kernels.compiled:  # ordinary Python reads fields of a record array by name
            self._progress = self._progress.view(np.recarray)
        last = np.full(n, -1, np.int64)
        self._scratch = np.empty(n, np.int64), last, np.zeros(n, np.bool_), np.zeros(n)

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return int(self._progress["rounds"][0])

    def advance(self, stop: int) -> None:
        """Play until round `stop`. How a game is cut into advances does not change it."""
        while True:
            self._loop(
                self.policy.state,
                self._model,
                *self._keys,
                self._best_value,
                self._checkpoints,
                stop,
                self._skip,
                self._progress,
                *self._scratch,
                self.regret,
            )
            if self.rounds >= stop:
                return
            self.policy.grow()
