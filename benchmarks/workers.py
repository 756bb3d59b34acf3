"""Four processes serve one page, share nothing but tokens and a nightly merge, and one crashes.

    python -m benchmarks.workers                 5,000 visitors, five nights; into workers.txt
    python -m benchmarks.workers --visitors 500

Each visitor gets a list from one process, and often answers to another, late or never; some answer
twice. Every night the processes save, and all go on with copies of the merged policy. At noon of
each day one process is killed and comes back with the save of the morning: what it learnt since is
lost, and lists that it gave since are still answered, by whoever is asked.

The referee keeps what each list was and which answers were taken by a process that did not lose
them. At the end one policy learns from these alone. Wrong are the clicks or displays by which its
statistics differ from those of the merged policy.
"""

import argparse
import sys
from dataclasses import dataclass, field
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import unirank as ur
from unirank.errors import ArgumentError
from unirank.markdown import markdown_table
from unirank.policies import registry

N_WORKERS, N_ITEMS, N_POSITIONS = 4, 40, 8
LONGEST_WAIT = 300  # visitors until an answer comes

# A server that has imported the library forks the processes; each still loads its own copy.
METHOD = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
STARTING: Any = get_context(METHOD)
if METHOD == "forkserver":
    STARTING.set_forkserver_preload(["unirank"])


def serve(orders: Connection, path: str) -> None:
    """One process: a copy of the policy, told what to do."""
    policy = ur.load(path)
    while True:
        order, *what = orders.recv()
        if order == "rank":
            shown = policy.rank()
            orders.send((shown.items, shown.memory, shown.round, shown.token))
        elif order == "update":
            try:
                policy.update(*what)
                orders.send("")
            except ArgumentError as error:
                orders.send(str(error))
        else:
            policy.save(*what)
            orders.send("")


class Worker:
    """The referee's end of a process."""

    def __init__(self, path: Path) -> None:
        self._pipe, there = STARTING.Pipe()
        self._process = STARTING.Process(target=serve, args=(there, str(path)), daemon=True)
        self._process.start()
        there.close()

    def ask(self, *order: Any) -> Any:
        self._pipe.send(order)
        return self._pipe.recv()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()


@dataclass
class Answer:
    items: tuple[int | str, ...]
    memory: bytes
    round: int
    token: str
    giver: int
    clicks: list[int | str]
    comes: int  # with which visitor


@dataclass
class Outcome:
    """What the referee counted."""

    answered: int = 0
    elsewhere: int = 0  # by a process that did not give the list
    same_round: int = 0  # of these, where that process gave a list of its own with that number
    refused_twice: int = 0  # second answers
    lost: int = 0  # answers that a crash took along
    after_crash: int = 0  # answers to lists that a process gave, but forgot in a crash
    refused: list[str] = field(default_factory=list)  # anything else
    wrong: int = 0


def trial(name: str, n_visitors: int, n_nights: int, folder: Path, seed: int = 1) -> Outcome:
    """Run the processes, and judge."""
    draw, found = Random(seed), Outcome()
    first = registry[name](N_ITEMS, N_POSITIONS)
    referee = registry[name].from_saved(first.to_saved())
    first.save(folder / "merged")
    workers = [Worker(folder / "merged") for _ in range(N_WORKERS)]
    waiting: list[Answer] = []
    kept: list[Answer] = []
    per_day = n_visitors // n_nights
    for day in range(n_nights):
        rounds = [0] * N_WORKERS  # given today
        today: list[list[Answer]] = [[] for _ in workers]  # taken by each
        given_by_crashed: set[str] = set()
        for visitor in range(day * per_day, (day + 1) * per_day):
            at = draw.randrange(N_WORKERS)
            items, memory, number, token = workers[at].ask("rank")
            rounds[at] = max(rounds[at], number)
            if at == 0:
                given_by_crashed.add(token)
            clicks = [i for k, i in enumerate(items) if draw.random() < 0.5 / (1 + int(i) / 8 + k)]
            if draw.random() < 0.7:
                comes = visitor + draw.randrange(LONGEST_WAIT)
                waiting.append(Answer(items, memory, number, token, at, clicks, comes))
            if visitor == day * per_day + per_day // 2:  # noon
                workers[0].kill()
                workers[0] = Worker(folder / "merged")
                found.lost += len(today[0])
                today[0], forgotten = [], set(given_by_crashed)
            elif visitor < day * per_day + per_day // 2:
                forgotten = set()
            for answer in [one for one in waiting if one.comes <= visitor]:
                waiting.remove(answer)
                to = draw.randrange(N_WORKERS)
                told = workers[to].ask("update", answer.token, answer.clicks)
                if told:
                    found.refused.append(told)
                    continue
                found.answered += 1
                found.elsewhere += to != answer.giver
                found.same_round += to != answer.giver and answer.round <= rounds[to]
                found.after_crash += answer.token in forgotten
                today[to].append(answer)
                if draw.random() < 0.05:
                    found.refused_twice += bool(workers[to].ask("update", answer.token, []))
        kept += [answer for of_one in today for answer in of_one]
        merge_all(workers, folder)
        workers = [Worker(folder / "merged") for _ in workers]
    for worker in workers:
        worker.kill()
    for answer in kept:
        referee.learn(answer.items, answer.memory, answer.clicks)
    found.wrong = difference(ur.load(folder / "merged"), referee)
    return found


def merge_all(workers: list[Worker], folder: Path) -> None:
    """Save every process, end it, and write what all have learnt."""
    copies = []
    for number, worker in enumerate(workers):
        worker.ask("save", str(folder / f"worker-{number}"))
        worker.kill()
        copies.append(ur.load(folder / f"worker-{number}"))
    merged, *others = copies
    for other in others:
        merged.merge(other)
    merged.save(folder / "merged")


def difference(policy: ur.Policy, referee: ur.Policy) -> int:
    """Comparisons, or clicks and displays, by which two policies differ."""
    one, other = policy.statistics(), referee.statistics()
    names = ("wins",) if "wins" in one else ("clicked", "shown")
    return int(sum(np.abs(one[name] - other[name]).sum() for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=5000)
    parser.add_argument("--nights", type=int, default=5)
    chosen = parser.parse_args()
    rows = []
    for name in ("unirank", "matchrank"):
        with TemporaryDirectory() as folder:
            found = trial(name, chosen.visitors, chosen.nights, Path(folder))
        rows.append(
            [
                name,
                f"{found.answered:,}",
                f"{found.elsewhere:,}",
                f"{found.same_round:,}",
                f"{found.after_crash:,}",
                f"{found.lost:,}",
                f"{found.refused_twice:,}",
                f"{len(found.refused):,}",
                f"{found.wrong:,}",
            ]
        )
    header = [
        *("policy", "answers", "to another process", "which had that round number, too"),
        *("after a crash", "lost in a crash", "second answers refused", "others refused"),
        "credited to a wrong list",
    ]
    sys.stdout.write(
        f"{chosen.visitors:,} visitors, {N_WORKERS} processes, {chosen.nights} nights, "
        f"{N_ITEMS} items, {N_POSITIONS} positions\n\n{markdown_table(header, rows)}\n"
    )


if __name__ == "__main__":
    main()
