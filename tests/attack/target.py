"""What a target is, and how one attempt is judged."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from resource import RLIMIT_DATA, setrlimit
from tempfile import TemporaryDirectory
from unittest.mock import patch

from unirank.errors import UnirankError

LIMIT = 256 * 2**20  # bytes of memory that one attempt may take
MOST = 4 * 2**30  # bytes that the process of the attack can have at all


class Outcome(StrEnum):
    """How an attempt ended, if it did not fail."""

    REFUSED = "refused"
    EQUAL = "equal"
    ACCEPTED = "accepted"


class BrokenPromiseError(Exception):
    """The library broke a promise; the text says which."""


@dataclass(frozen=True)
class Target:
    """One thing to attack.

    `attempt` gets the random numbers of the attempt and an empty folder. It returns an outcome, or
    raises: an error of the library counts as refused, anything else as a failure.
    """

    name: str
    n_attempts: int  # at the scale of the first attack
    n_tests: int  # in every run of the tests
    attempt: Callable[[Random, Path], Outcome]
    seconds: float = 30.0  # that one attempt may take


def attempted(target: Target, seed: int) -> Outcome:
    """Make one attempt; raise whatever makes it a failure."""
    name = f"{target.name} {seed}"
    draw = Random(name)
    with TemporaryDirectory(prefix="unirank-attack-") as folder, same_entropy(name):
        before = reset_peak()
        try:
            outcome = target.attempt(draw, Path(folder))
        except UnirankError as error:
            check_sentence(str(error))
            outcome = Outcome.REFUSED
        taken = peak() - before
    if taken > LIMIT:
        raise BrokenPromiseError(f"took {taken:,} bytes of memory")
    return outcome


@contextmanager
def same_entropy(seed: str) -> Iterator[None]:
    """Draw what a policy takes from the system (identity, epochs) the same way again."""
    draw = Random(seed)
    with ExitStack() as stack:
        for module in ("page.lineage", "page.merging", "policies.base.policy"):
            stack.enter_context(patch(f"unirank.{module}.randbits", draw.getrandbits))
        yield


def check_sentence(text: str) -> None:
    """Raise for an error that is not one line."""
    if not text.strip() or len(text.splitlines()) != 1:
        raise BrokenPromiseError(f"an error must be one line, got {text!r:.300}")


def require(holds: object, sentence: str) -> None:
    if not holds:
        raise BrokenPromiseError(sentence)


def limit_memory() -> None:
    """Let this process have no more than MOST bytes, so that an attempt cannot harm the machine."""
    setrlimit(RLIMIT_DATA, (MOST, MOST))


STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak() -> int:
    """Bytes of memory that this process had at most since `reset_peak`; 0 where nobody knows."""
    if not STATUS.exists():
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text())
    return int(found[1]) * 1024 if found else 0


def reset_peak() -> int:
    """Forget the peak of earlier attempts; return the memory that is in use now."""
    if CLEAR.exists():
        CLEAR.write_text("5")
    return peak()
