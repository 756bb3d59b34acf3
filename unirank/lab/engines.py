"""Where blocks of games are played: threads of this process, or the workers of a Dask cluster.

Both call `blocks.play`, whose random numbers have addresses: the bits are the same. Only finished
blocks come back, and the caller saves each at once, so that whatever dies loses its block at most.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event
from typing import Any, Literal

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.blocks import Block, play
from unirank.simulation import Trace

Engine = Literal["local", "dask"]
Done = Callable[[Block, Trace], None]
Watch = Callable[[int], None]  # rounds of the blocks that are not finished yet

LOOK_UP_SECONDS = 0.1
RETRIES = 5  # of a block whose worker died


class _StoppedError(Exception):
    """Told to a thread that is to give up its block."""


def play_blocks(
    blocks: Sequence[Block],
    done: Done,
    watch: Watch,
    *,
    engine: Engine = "local",
    n_workers: int,
    scheduler: str = "",
    skip: bool = True,
) -> None:
    """Play all blocks; call `done` for each in this thread, in any order."""
    if engine == "local":
        if scheduler:
            raise ArgumentError(f"scheduler must go with --engine dask, got {scheduler!r}")
        play_locally(blocks, done, watch, n_workers, skip)
    else:
        play_on_dask(blocks, done, n_workers, scheduler, skip)


def play_locally(
    blocks: Sequence[Block], done: Done, watch: Watch, n_workers: int, skip: bool
) -> None:
    """One block to a thread: compiled rounds run without the GIL."""
    stop = Event()
    rounds = [0] * len(blocks)

    def watched_play(number: int) -> Trace:
        def look_up(played: int, _: int) -> None:
            rounds[number] = played
            if stop.is_set():
                raise _StoppedError

        return play(blocks[number], look_up, skip=skip)

    with ThreadPoolExecutor(n_workers) as pool:
        waiting: dict[Future[Trace], int] = {
            pool.submit(watched_play, number): number for number in range(len(blocks))
        }
        try:
            while waiting:
                finished, _ = wait(waiting, LOOK_UP_SECONDS, FIRST_COMPLETED)
                for future in finished:
                    number = waiting.pop(future)
                    done(blocks[number], future.result())
                    rounds[number] = 0
                watch(sum(rounds))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def play_on_dask(
    blocks: Sequence[Block], done: Done, n_workers: int, scheduler: str, skip: bool
) -> None:
    """One block to a task. A block whose worker dies is played again by another."""
    distributed = optional("distributed", "cluster")
    with _client(distributed, n_workers, scheduler) as client:
        futures = client.map(play, blocks, skip=skip, pure=False, retries=RETRIES)
        block_of = dict(zip((future.key for future in futures), blocks, strict=True))
        for future in distributed.as_completed(futures):
            done(block_of[future.key], future.result())
            future.release()


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
