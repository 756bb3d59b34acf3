"""One game against visitors of several segments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation.game import Game
from unirank.lab.simulation.segment_loop import PROGRESS, STANDING, segment_loop_for
from unirank.policies.base.policy import Policy
from unirank.policies.kernels.randomness import POLICY, USERS, stream_key
from unirank.users.objective import CLICKS
from unirank.users.segments import Segments

ANY_NUMBER = np.iinfo(np.int64).max


class SegmentGame(Game):
    """A game in progress whose visitors belong to segments.

    Policies that serve different contexts do not learn from each other, so that each plays the
    visitors of its own contexts alone. The regret of the game is the sum of theirs.
    """

    def __init__(
        self,
        policy: Policy,
        users: Segments,
        *,
        seed: int,
        game: int,
        best_values: Sequence[float],
        checkpoints: NDArray[np.int64],
        skip: bool = True,
        objective: str = CLICKS,
    ) -> None:
        self.regret = np.full(len(checkpoints), np.nan)
        self.policy = policy
        self.users = users
        model = users.shuffled(users.item_order(seed, game))
        keys = tuple(stream_key(seed, game, stream) for stream in (POLICY, USERS))
        given = (model, *keys, np.array(best_values, np.float64))
        self._parts = [
            _Part(each, users, contexts, given, checkpoints, skip, objective)
            for each, contexts in policy.for_contexts(users.contexts)
        ]

    @property
    def rounds(self) -> int:
        return min(part.rounds for part in self._parts)

    def advance(self, stop: int) -> None:
        for part in self._parts:
            part.advance(stop)
        self.regret[:] = np.sum([part.regret for part in self._parts], axis=0)


class _Part:
    """A policy with the visitors whom it serves."""

    def __init__(
        self,
        policy: Policy,
        users: Segments,
        contexts: Sequence[int],
        given: tuple[Any, ...],
        checkpoints: NDArray[np.int64],
        skip: bool,
        objective: str,
    ) -> None:
        n_segments, n = len(users.contexts), policy.n_positions
        serves = np.zeros(n_segments, np.bool_)
        serves[list(contexts)] = True
        most_held = 0 if not skip else 1 if policy.kernels.reads_contexts else ANY_NUMBER
        self.regret = np.full(len(checkpoints), np.nan)
        self._policy = policy
        self._loop = segment_loop_for(type(policy), users, objective)
        self._given = *given, serves, checkpoints
        self._most_held = most_held
        progress, standing = np.zeros(1, PROGRESS), np.zeros(n_segments, STANDING)
        if not policy.kernels.compiled:  # ordinary Python reads fields of a record array by name
            progress, standing = progress.view(np.recarray), standing.view(np.recarray)
        self._progress = progress
        lists = np.empty(n, np.int64), np.full((n_segments, n), -1, np.int64)
        self._scratch = standing, *lists, np.zeros(n, np.bool_), np.zeros(n), self.regret

    @property
    def rounds(self) -> int:
        return int(self._progress["rounds"][0])

    def advance(self, stop: int) -> None:
        while True:
            self._loop(
                self._policy.state,
                *self._given,
                stop,
                self._most_held,
                self._progress,
                *self._scratch,
            )
            if self.rounds >= stop:
                return
            self._policy.grow()
