"""Where games are played: on threads of this process, or by the workers of a Dask cluster.

Both give the same bits, because every random number has an address. Games come back in blocks, and
the caller saves each block at once: a run that is stopped loses only the blocks that are being
played.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.blocks import Block, play_plain
from unirank.lab.simulation import Trace
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.scheduler import play_games

Engine = Literal["local", "dask"]
Done = Callable[[Block, Trace], None]
Watch = Callable[[int, int], None]  # rounds and games played so far

RETRIES = 5  # of a block whose worker died


def play_blocks(
    blocks: Sequence[Block],
    done: Done,
    watch: Watch,
    *,
    engine: Engine = "local",
    n_workers: int,
    scheduler: str = "",
) -> None:
    """Play all blocks; call `done` for each in this thread, in any order."""
    check_engine(engine, scheduler)
    if engine == "local":
        play_locally(blocks, done, watch, n_workers)
    else:
        play_on_dask(blocks, done, watch, n_workers, scheduler)


def check_engine(engine: Engine, scheduler: str = "") -> None:
    """Raise an error if this engine cannot be had, before anything is read or played."""
    if engine == "local" and scheduler:
        raise ArgumentError(f"scheduler must go with --engine dask, got {scheduler!r}")
    if engine == "dask":
        optional("distributed", "cluster")


def play_locally(blocks: Sequence[Block], done: Done, watch: Watch, n_workers: int) -> None:
    """Play one game per thread; a block is done when its last game is."""
    places = [(block, number) for block in blocks for number in block.games]
    regret: dict[int, dict[int, NDArray[np.float64]]] = {id(block): {} for block in blocks}

    def game_done(place: int, game: Game) -> None:
        block, number = places[place]
        finished = regret[id(block)]
        finished[number] = game.regret
        if len(finished) == len(block.games):
            done(block, block.plan.trace(regret.pop(id(block))))

    play_games([(block.plan, number) for block, number in places], n_workers, game_done, watch)


def play_on_dask(
    blocks: Sequence[Block], done: Done, watch: Watch, n_workers: int, scheduler: str
) -> None:
    """Play one block per task. If a worker dies, another plays its block again."""
    distributed = optional("distributed", "cluster")
    rounds = games = 0
    with _client(distributed, n_workers, scheduler) as client:
        plain = [block.to_plain() for block in blocks]
        futures = client.map(play_plain, plain, pure=False, retries=RETRIES)
        block_of = dict(zip((future.key for future in futures), blocks, strict=True))
        for future in distributed.as_completed(futures):
            block = block_of[future.key]
            done(block, future.result())
            future.release()
            rounds, games = rounds + block.rounds, games + len(block.games)
            watch(rounds, games)


@contextmanager
def _client(distributed: Any, n_workers: int, scheduler: str) -> Iterator[Any]:
    if scheduler:
        try:
            client = distributed.Client(scheduler, timeout="10s")
        except (OSError, ValueError, TypeError) as error:
            raise ArgumentError(
                f"scheduler must be the address of a Dask scheduler, got {scheduler!r}: {error}"
            ) from None
        with client:
            yield client
        return
    with (
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
