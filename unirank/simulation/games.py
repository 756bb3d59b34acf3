"""Many games on many cores: `simulate`.

Compiled rounds run without the GIL, one game to a thread, and share nothing. Every random number
has an address, so a trace has the same bits for any number of workers.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from unirank import arguments
from unirank.click_models.base import ClickModel
from unirank.errors import ArgumentError, UnirankError
from unirank.kernels.compiling import what_numba_says
from unirank.kernels.randomness import LARGEST_ROUND
from unirank.simulation import checkpoints as rounds_of
from unirank.simulation.game import Game
from unirank.simulation.needs import check_needs
from unirank.simulation.progress import Progress
from unirank.simulation.specs import PolicySpec, renamed, resolved
from unirank.simulation.trace import Trace

SLICE_SECONDS = 0.1  # how long a worker plays before it looks up: for progress and for Ctrl-C


def simulate(
    policy: PolicySpec,
    users: ClickModel,
    *,
    n_positions: int,
    n_rounds: int,
    n_games: int = 20,
    first_game: int = 0,
    seed: int = 0,
    checkpoints: Iterable[int] | None = None,
    skip: bool = True,
    best_ranking: Sequence[int] | None = None,
    n_workers: int | None = None,
    progress: bool | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Trace:
    """Play independent games of a policy against the users of a click model.

    `policy` is a name or a Policy class, or (that, options). `checkpoints` are the rounds at
    which regret is recorded, log-spaced by default. `skip=False` plays every round one by one: same
    bits, slower. `best_ranking` is what regret is measured against where a click model cannot find
    its best one. Games are numbered from `first_game` on. `progress` shows a bar; by default, if
    someone is watching. `watch` is called now and then with the rounds played and the games
    finished, in place of the bar; what it raises ends the simulation.

    Ctrl-C ends the simulation and returns the finished games, with `trace.interrupted` set.
    """
    cls, options = resolved(policy)
    n_workers = cpu_count() if n_workers is None else n_workers
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed, n_workers=n_workers)
    first_game = arguments.integer("first_game", first_game, 0, arguments.LARGEST_SEED - n_games)
    if not isinstance(users, ClickModel):
        raise ArgumentError(f"users must be a click model, got {users!r}")
    n_positions = users.check_n_positions(n_positions)
    check_needs(cls, users, n_positions)
    best = given(best_ranking, n_positions) or users.best_ranking(n_positions)
    rounds = rounds_of.checked(checkpoints, n_rounds)
    unmoved = renamed(options, cls.item_options, np.arange(users.n_items))
    cls(users.n_items, n_positions, seed=seed, **unmoved)  # its errors name items as given here

    def as_met(number: int) -> dict[str, Any]:
        return renamed(options, cls.item_options, users.item_order(seed, number))

    def new_game(number: int) -> Game:
        return Game(
            cls(users.n_items, n_positions, seed=seed, **as_met(number)),
            users,
            seed=seed,
            game=number,
            best_value=users.value(best),
            checkpoints=rounds,
            skip=skip,
        )

    try:
        new_game(first_game).advance(0)  # compile once, before the threads start
    except NumbaError as error:
        raise UnirankError(
            f"{cls.name} on {users.name} does not compile: {what_numba_says(error)}; "
            f"`unirank check {cls.__module__}:{cls.__qualname__}` may tell why"
        ) from error
    title = f"{cls.name} on {users.name}"
    numbers = range(first_game, first_game + n_games)
    with Progress(title, n_games, n_rounds, shown=False if watch else progress) as bar:
        finished = play_all(new_game, numbers, n_rounds, n_workers, watch or bar.show)
    if not finished:
        raise KeyboardInterrupt
    return Trace(
        policy=cls.name,
        options=dict(options),
        click_model=users.to_dict(),
        best_ranking=[int(item) for item in best],
        n_positions=n_positions,
        n_rounds=n_rounds,
        seed=seed,
        games=np.array(sorted(finished), np.int64),
        rounds=rounds,
        regret=np.stack([finished[number] for number in sorted(finished)]),
        interrupted=len(finished) < n_games,
    )


def check_scale(**sizes: int) -> None:
    """Refuse numbers that no simulation can have."""
    limits = {
        "n_rounds": (1, LARGEST_ROUND),
        "n_games": (1, None),
        "seed": (0, arguments.LARGEST_SEED),
        "n_workers": (1, None),
    }
    for name, size in sizes.items():
        arguments.integer(name, size, *limits[name])


def given(best_ranking: Sequence[int] | None, n_positions: int) -> tuple[int, ...]:
    """The items of a ranking that a user passed, if any."""
    if best_ranking is None:
        return ()
    if not isinstance(best_ranking, Iterable):
        raise ArgumentError(f"best_ranking must be a list of items, got {best_ranking!r}")
    best = tuple(best_ranking)
    if len(best) != n_positions or len(set(best)) < n_positions:
        raise ArgumentError(
            f"best_ranking must be n_positions={n_positions} different items, got {best_ranking!r}"
        )
    return best


def play_all(
    new_game: Callable[[int], Game],
    numbers: range,
    n_rounds: int,
    n_workers: int,
    show: Callable[[int, int], None],
) -> dict[int, Any]:
    """Play every game to its end; return the regret of those that got there."""
    stop = Event()
    played = np.zeros(len(numbers), np.int64)
    finished: dict[int, Any] = {}

    def play(number: int) -> None:
        game = new_game(number)
        size = 1 << 12
        while game.rounds < n_rounds and not stop.is_set():
            start = perf_counter()
            game.advance(min(n_rounds, game.rounds + size))
            played[number - numbers.start] = game.rounds
            pace = SLICE_SECONDS / max(perf_counter() - start, 1e-9)
            size = int(size * min(max(pace, 0.1), 8.0)) + 1
        if game.rounds >= n_rounds:
            finished[number] = game.regret

    with ThreadPoolExecutor(n_workers) as pool:
        waiting: set[Future[None]] = {pool.submit(play, number) for number in numbers}
        try:
            while waiting:
                done, waiting = wait(waiting, SLICE_SECONDS, FIRST_COMPLETED)
                for future in done:
                    future.result()
                show(int(played.sum()), len(finished))
        except BaseException as error:
            stop.set()
            pool.shutdown(cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
    return finished


def cpu_count() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
