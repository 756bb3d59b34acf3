"""Play many games at once, one game to a thread.

Compiled rounds run without the GIL, and games share nothing. Every random number has an address,
so games have the same bits on any number of threads.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event, Lock
from time import perf_counter
from typing import Protocol

import numpy as np
from numba.core.errors import NumbaError

from unirank.errors import UnirankError
from unirank.lab.simulation.game import Game
from unirank.policies.kernels.compile_errors import compile_error

SLICE_SECONDS = 0.1  # how long a thread plays before it looks at the stop flag

_starting = Lock()


class Plan(Protocol):
    """What makes games by their numbers: a `GamePlan`."""

    @property
    def n_rounds(self) -> int: ...

    def new_game(self, number: int) -> Game: ...


def play_games(
    games: Sequence[tuple[Plan, int]],
    n_workers: int,
    done: Callable[[int, Game], None],
    watch: Callable[[int, int], None],
) -> None:
    """Play every game, a plan and a number, to its end on `n_workers` threads.

    Games are made when they start, in the order given. `done(place, game)` is called for each
    finished one, `watch` every now and then with the rounds and the games played; both run in the
    calling thread. An exception in it, such as Ctrl-C, stops all games before it is raised again.
    """
    stop = Event()
    rounds = np.zeros(len(games), np.int64)

    def play(place: int) -> Game | None:
        if stop.is_set():
            return None
        plan, number = games[place]
        game, n_rounds = started(plan, number), plan.n_rounds
        size = 1 << 12
        while game.rounds < n_rounds and not stop.is_set():
            start = perf_counter()
            game.advance(min(n_rounds, game.rounds + size))
            rounds[place] = game.rounds
            pace = SLICE_SECONDS / max(perf_counter() - start, 1e-9)
            size = int(size * min(max(pace, 0.1), 8.0)) + 1
        return game

    n_done = 0
    with ThreadPoolExecutor(n_workers) as pool:
        waiting: dict[Future[Game | None], int] = {
            pool.submit(play, place): place for place in range(len(games))
        }
        try:
            while waiting:
                finished, _ = wait(waiting, SLICE_SECONDS, FIRST_COMPLETED)
                for future in finished:
                    game = future.result()
                    assert game is not None  # nothing was stopped
                    done(waiting.pop(future), game)
                    n_done += 1
                watch(int(rounds.sum()), n_done)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def started(plan: Plan, number: int) -> Game:
    """Make a game and compile its loop; one thread at a time, so that none compiles it twice."""
    with _starting:
        game = plan.new_game(number)
        try:
            game.advance(0)
        except (NumbaError, NotImplementedError) as error:
            policy = type(game.policy)
            raise UnirankError(
                f"{policy.name} on {game.users.name} does not compile: {compile_error(error)}; "
                f"`unirank check {policy.__module__}:{policy.__qualname__}` may tell why"
            ) from error
        return game


def cpu_count() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
