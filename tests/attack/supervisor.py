"""Attempts in a process of their own, so that a crash or a hang is a failure like any other."""

from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

from tests.attack.target import Target, attempted, limit_memory

START = 300.0  # seconds in which a process must be ready


class Judged(NamedTuple):
    """One attempt: an outcome, or what went wrong."""

    seed: int
    outcome: str
    failure: str = ""


def judged(target: Target, seed: int) -> Judged:
    """Make one attempt; any exception is a failure."""
    try:
        return Judged(seed, attempted(target, seed))
    except Exception as error:
        return Judged(seed, "", f"{type(error).__name__}: {error}".splitlines()[0])


def attacked(target: Target, seeds: Iterable[int]) -> Iterator[Judged]:
    """Make the attempts one after the other, and go on in a new process where one has ended."""
    left = list(seeds)
    while left:
        for one in in_a_process(target, list(left)):
            left.remove(one.seed)
            yield one


def in_a_process(target: Target, seeds: list[int]) -> Iterator[Judged]:
    """Yield what the attempts come to; the last one may have ended or stopped the process."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(target, seeds, theirs), daemon=False)
    process.start()
    theirs.close()
    try:
        if not ours.poll(START) or ours.recv() != "ready":
            raise RuntimeError(f"the process of {target.name} did not start")
        for seed in seeds:
            if not ours.poll(target.seconds):
                yield Judged(seed, "", f"took more than {target.seconds:g} s")
                return
            try:
                yield ours.recv()
            except EOFError:
                process.join()
                yield Judged(seed, "", f"the process ended with status {process.exitcode}")
                return
    finally:
        process.kill()
        process.join()


def work(target: Target, seeds: list[int], pipe: "Connection[Judged | str, object]") -> None:
    limit_memory()
    pipe.send("ready")
    for seed in seeds:
        pipe.send(judged(target, seed))
