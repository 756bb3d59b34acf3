"""Faults of `unirank serve` at full scale: kills, stops, a pause of the database, forged tokens.

    .venv/bin/python -m benchmarks.serve_faults

`make faults` writes it to benchmarks/serve_faults.txt; the tests under tests/server/faults do a
part of it. Every number after the first two columns should be 0: clicks that were acknowledged and
lost; counted twice; counted though nobody sent them; numbers that the log lacks; answers that
should never be; pages of a process whose state is not the replayed log, bit for bit.
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP
from tempfile import TemporaryDirectory
from time import sleep

from tests.server.cluster import cluster
from tests.server.faults.audit import audited, disagreeing
from tests.server.faults.fleet import Fleet, fleet
from tests.server.faults.load import Record, visitors
from tests.server.faults.mutations import mutated
from tests.server.faults.test_kills import kill_again_and_again
from tests.server.faults.test_outages import ranked_for
from tests.server.process import eventually
from tests.server.stores import opened, view
from unirank.errors import ArgumentError
from unirank.markdown import markdown_table
from unirank.server.tokens import sealed, unsealed

N_KILLS, N_STOPS, N_TOKENS = 200, 20, 10**6
PAUSE = 10.0  # seconds
N_VISITORS = 6
HEADER = (
    "fault",
    "times",
    "clicks acknowledged",
    "lost",
    "twice",
    "invented",
    "gaps",
    "wrong answers",
    "states not equal",
)


def row(fault: str, n: int, database: str, record: Record, started: Fleet) -> list[str]:
    with opened(database) as store:
        verdict = audited(store, record)
        n_wrong = disagreeing(started, store)
    sys.stderr.write(f"{fault}: {dict(record.answers)} {record.faults[:3]}\n")
    return [fault, f"{n}", f"{len(record.acknowledged):,}", *map(str, verdict), f"{n_wrong}"]


def kills_on_sqlite(folder: Path, n_kills: int) -> list[str]:
    path = str(folder / "pages.sqlite")
    with fleet(path, folder) as started:
        with visitors(started.ports, started.key, N_VISITORS) as record:
            kill_again_and_again(started, record, n_kills, Random(1))
        return row("kill -9, SQLite, 1 process", n_kills, path, record, started)


def kills_on_postgresql(folder: Path, n_kills: int) -> list[str]:
    with cluster() as postgresql, fleet(postgresql.url(), folder, 3) as started:
        with visitors(started.ports, started.key, N_VISITORS) as record:
            kill_again_and_again(started, record, n_kills, Random(2))
        fault = "kill -9, PostgreSQL, 3 processes"
        return row(fault, n_kills, postgresql.url(), record, started)


def stops_of_postgresql(folder: Path, n_stops: int) -> list[str]:
    chance = Random(3)
    with cluster() as postgresql, fleet(postgresql.url(), folder, 3) as started:
        with visitors(started.ports, started.key, N_VISITORS) as record:
            for _ in range(n_stops):
                seen = len(record.acknowledged)
                eventually(lambda seen=seen: len(record.acknowledged) > seen + 10, 20.0)
                sleep(chance.random())
                postgresql.stop("immediate")
                postgresql.start()
            sleep(1.0)
        fault = "PostgreSQL stopped at once, 3 processes"
        return row(fault, n_stops, postgresql.url(), record, started)


def pause_of_postgresql(folder: Path, seconds: float) -> tuple[list[str], str]:
    with cluster() as postgresql, fleet(postgresql.url(), folder, 2) as started:
        with visitors(started.ports, started.key, N_VISITORS) as record:
            sleep(1.0)
            postgresql.signal(SIGSTOP)
            try:
                sleep(0.3)
                with record.lock:
                    before = record.answers.copy()
                statuses = ranked_for(seconds, started.ports, started.key)
                with record.lock:
                    during = record.answers - before
            finally:
                postgresql.signal(SIGCONT)
            sleep(1.0)
        said = f"While PostgreSQL paused for {seconds:g} s: {_said(statuses, during)}."
        fault = "PostgreSQL paused (SIGSTOP), 2 processes"
        return row(fault, 1, postgresql.url(), record, started), said


def _said(statuses: Counter[int], during: Counter[str]) -> str:
    ranks = ", ".join(f"rank {status}: {n:,}" for status, n in sorted(statuses.items()))
    return ranks + "; visitors saw " + ", ".join(f"{k}: {n:,}" for k, n in sorted(during.items()))


def forged_tokens(n: int) -> int:
    """How many of n mutated tokens are accepted."""
    key, chance, n_accepted = b"k" * 32, Random(4), 0
    tokens = [sealed(view(number, page=1 + number % 3), key) for number in range(1, 50)]
    for _ in range(n):
        try:
            unsealed(mutated(tokens, chance), key)
            n_accepted += 1
        except ArgumentError:
            pass
    return n_accepted


def main(share: float = 1.0) -> None:
    n_kills, n_stops, n_tokens = (max(1, int(share * n)) for n in (N_KILLS, N_STOPS, N_TOKENS))
    rows = []
    for work, n in (
        (kills_on_sqlite, n_kills),
        (kills_on_postgresql, n_kills),
        (stops_of_postgresql, n_stops),
    ):
        with TemporaryDirectory() as folder:
            rows.append(work(Path(folder), n))
    with TemporaryDirectory() as folder:
        paused, said = pause_of_postgresql(Path(folder), PAUSE)
    table = markdown_table(HEADER, [*rows, paused], numbers_from=1)
    forged = f"Mutated tokens: {n_tokens:,}; accepted: {forged_tokens(n_tokens)}."
    sys.stdout.write(f"{table}\n\n{said}\n{forged}\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
