"""A crash, a hang and too much memory are failures, and the attack goes on after them."""

import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.attack.supervisor import attacked, judged
from tests.attack.target import LIMIT, Outcome, Target, check_sentence, peak
from unirank.errors import ArgumentError

KINDS = (
    "the process ended with status -6",
    "took more than 1 s",
    "KeyError: 'x'",
    "refused",
    "equal",
)


def toy(draw: Random, folder: Path) -> Outcome:
    """Do one of five things."""
    kind = draw.randrange(len(KINDS))
    if kind == 0:
        os.abort()
    if kind == 1:
        time.sleep(1000)
    if kind == 2:
        raise KeyError("x")
    if kind == 3:
        raise ArgumentError("x must be a number")
    return Outcome.EQUAL


def test_crashes_and_hangs_are_failures_with_their_seeds() -> None:
    kinds = [Random(f"toy {seed}").randrange(len(KINDS)) for seed in range(100)]
    seeds = [kinds.index(kind) for kind in range(len(KINDS))]
    found = list(attacked(Target("toy", 10, 1, toy, seconds=1.0), seeds))
    assert [one.seed for one in found] == seeds
    assert [one.outcome or one.failure for one in found] == list(KINDS)


def greedy(draw: Random, folder: Path) -> Outcome:
    taken = bytearray(LIMIT + 2**20)
    taken[::4096] = b"x" * len(taken[::4096])
    return Outcome.EQUAL


@pytest.mark.skipif(peak() == 0, reason="this system does not tell the memory of a process")
def test_too_much_memory_is_a_failure() -> None:
    assert "bytes of memory" in judged(Target("greedy", 1, 1, greedy), 0).failure


@pytest.mark.parametrize("text", ["", "one\ntwo"])
def test_an_error_of_no_line_or_of_two_is_a_failure(text: str) -> None:
    with pytest.raises(Exception, match=r"^an error must be one line, got "):
        check_sentence(text)
