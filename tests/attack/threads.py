"""Policies that threads share without any agreement.

Whatever they do at once, every round is given once, every list is a list of its items, a file that
is saved in between can be loaded, and the policy still works.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from tests.attack.state_files import check_works
from tests.attack.target import Outcome, Target, require
from unirank import ArgumentError, Policy, load
from unirank.policies import registry

N_THREADS, N_STEPS = 4, 60
N_ITEMS, N_POSITIONS = 8, 3


def shared(draw: Random, folder: Path) -> Outcome:
    cls = registry[draw.choice(registry.names())]
    options = cls.example_options(tuple(range(N_ITEMS)), N_POSITIONS)
    policy = cls(N_ITEMS, N_POSITIONS, seed=draw.randrange(100), **options)
    seeds = [draw.randrange(2**32) for _ in range(N_THREADS)]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(N_THREADS) as pool:
            work = [pool.submit(used, policy, Random(seed), folder / f"{seed}") for seed in seeds]
            rounds = [number for done in work for number in done.result()]
    finally:
        sys.setswitchinterval(usual)
    require(sorted(rounds) == list(range(1, policy.round + 1)), "a round was given twice or never")
    for path in folder.iterdir():
        check_works(load(path), draw)
    check_works(policy, draw)
    return Outcome.ACCEPTED


def used(policy: Policy, draw: Random, file: Path) -> list[int]:
    """Do whatever a policy can do; return the rounds that were given."""
    rounds = []
    for step in range(N_STEPS):
        for shown in [policy.rank()] if step % 9 else policy.rank_many(3):
            rounds.append(shown.round)
            require(len(set(shown.items)) == N_POSITIONS, f"the list {shown.items} is no list")
            answer(policy, shown.token if step % 5 == 0 else shown, shown.items, draw)
        if step % 20 == 7:
            policy.save(file)
        if step % 10 == 3 and policy.facts.catalogue:
            policy.add(f"{file.name} {step}")
    return rounds


def answer(policy: Policy, shown: object, items: tuple[int | str, ...], draw: Random) -> None:
    """Answer once, twice or never: the second time is refused."""
    clicks = [item for item in items if draw.random() < 0.3]
    for n in range(draw.choice((0, 1, 1, 1, 2))):
        try:
            policy.update(shown, clicks)  # type: ignore[arg-type]
        except ArgumentError as error:
            require(n == 1 and "already updated" in str(error), f"refused: {error}")


TARGETS = [Target("threads", 600, 8, shared, seconds=120)]
