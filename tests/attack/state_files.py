"""State files with changed bytes, and forged ones: changed, with a checksum that is right.

A file with changed bytes is refused or gives exactly the policy that was saved. A forged file is
refused or gives a policy that works: its lists are lists of its items, it learns, it is saved and
loaded again as it is.
"""

import hashlib
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from tests.attack.mutation import mutated, reshaped
from tests.attack.target import Outcome, Target, require, same_entropy
from tests.policies.situations import contents
from unirank import Policy, load
from unirank.page.state_file import FORMAT, VERSION
from unirank.policies import registry

N_ITEMS, N_POSITIONS = 6, 3
LARGEST = 2**26  # bytes: the limit that load(..., largest=) is given
HEADER = FORMAT + b"%d\n" % VERSION


@cache
def played(name: str) -> Policy:
    """A policy that has learnt, with unanswered rounds, items taken away, and clicks noted."""
    with same_entropy(name):
        return learnt(registry[name])


def learnt(cls: type[Policy]) -> Policy:
    policy = cls(N_ITEMS, N_POSITIONS, seed=3, **cls.example_options(tuple(range(6)), N_POSITIONS))
    for n in range(80):
        shown = policy.rank()
        if n % 7:
            policy.update(shown, shown.items[n % 3 : n % 3 + n % 2])
    policy.click(policy.rank(), policy.items[policy.last_ranking[0]])
    if policy.facts.catalogue:
        policy.add("new")
        policy.remove(0)
    return policy


@cache
def saved(name: str) -> bytes:
    payload = msgspec.msgpack.encode(played(name).to_saved())
    return HEADER + hashlib.sha256(payload).digest() + payload


def changed_bytes(draw: Random, folder: Path) -> Outcome:
    name = draw.choice(registry.names())
    (folder / "state").write_bytes(mutated(saved(name), draw))
    loaded = load(folder / "state", largest=LARGEST)
    require(contents(loaded) == contents(played(name)), f"another {name} was loaded")
    return Outcome.EQUAL


def forged(draw: Random, folder: Path) -> Outcome:
    tree = msgspec.msgpack.decode(saved(draw.choice(registry.names()))[len(HEADER) + 32 :])
    payload = msgspec.msgpack.encode(reshaped(tree, draw))
    (folder / "state").write_bytes(HEADER + hashlib.sha256(payload).digest() + payload)
    policy = load(folder / "state", largest=LARGEST)
    policy.save(folder / "again")
    again = load(folder / "again", largest=LARGEST)
    require(contents(again) == contents(policy), "saved and loaded, it is another policy")
    check_works(policy, draw)
    return Outcome.ACCEPTED


def check_works(policy: Policy, draw: Random) -> None:
    """Play some rounds, and answer those that the file says are unanswered."""
    for number, ranking in list(policy._on_page().unanswered)[:10]:
        policy.update(number, [policy.items[item] for item in ranking if draw.random() < 0.3])
    for _ in range(10):
        shown = policy.rank()
        require(len(set(shown.items)) == policy.n_positions, f"the list {shown.items} is no list")
        require(set(shown.items) <= set(policy.items), f"items of {shown.items} are not its own")
        policy.update(shown, [item for item in shown.items if draw.random() < 0.3])


TARGETS = [
    Target("state-bytes", 10_000, 150, changed_bytes),
    Target("state-forged", 15_000, 150, forged),
]
