"""Files of A/B tests with changed bytes, and forged ones with a checksum that is right.

A changed file is refused, or its report is that of the test that was saved. A forged file is
refused, or gives a test that works: it shows lists, learns, reports, and is saved again as it is.
"""

import hashlib
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from tests.attack.mutation import mutated, reshaped
from tests.attack.target import Outcome, Target, require, same_entropy
from unirank import Split, UniRank
from unirank.page.split.split_file import HEADER
from unirank.policies import Oracle


@cache
def saved() -> bytes:
    """A test with two arms that many sessions have seen."""
    with same_entropy("split"), TemporaryDirectory() as folder:
        arms = {"today": Oracle(5, 2, ranking=[1, 2], seed=1), "new": UniRank(5, 2, seed=1)}
        split = Split(arms, key="spring")
        visit(split, 60)
        split.save(Path(folder) / "split")
        return (Path(folder) / "split").read_bytes()


def visit(split: Split, n_sessions: int) -> None:
    for n in range(n_sessions):
        shown = split.rank(session=f"visitor {n}")
        if n % 5:
            split.update(shown.token, clicks=shown.items[: n % 2])


def loaded(content: bytes, folder: Path) -> Split:
    (folder / "split").write_bytes(content)
    return Split.load(folder / "split")


def changed_bytes(draw: Random, folder: Path) -> Outcome:
    found = loaded(mutated(saved(), draw), folder)
    whole = loaded(saved(), folder)
    require(repr(found.report()) == repr(whole.report()), "another test was loaded")
    return Outcome.EQUAL


def forged(draw: Random, folder: Path) -> Outcome:
    tree = msgspec.msgpack.decode(saved()[len(HEADER) + 32 :])
    payload = msgspec.msgpack.encode(reshaped(tree, draw))
    split = loaded(HEADER + hashlib.sha256(payload).digest() + payload, folder)
    split.save(folder / "again")
    again = Split.load(folder / "again")
    require(repr(again.report()) == repr(split.report()), "saved and loaded, it is another test")
    visit(split, 10)
    split.report()
    return Outcome.ACCEPTED


TARGETS = [
    Target("split-bytes", 1_500, 80, changed_bytes),
    Target("split-forged", 3_000, 100, forged),
]
