"""Which copy of a policy gave which rounds.

A policy has a random identity, which all copies share that were loaded from its files. Each copy
begins an *epoch* of its own, a random number, with the first list that it gives. Two copies can
both give a round 7; their epochs tell them apart. The epochs of the copies that it descends from
are kept with the round in which each began.
"""

import os
from bisect import bisect_right
from secrets import randbits

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.page.token import Seal

MOST_EPOCHS = 4096  # of its ancestors; older ones are forgotten
LARGEST = 2**64 - 1


class Forks:
    """How often this process was forked: after that there are two copies of every policy."""

    count = 0

    @classmethod
    def count_one(cls) -> None:
        cls.count += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Forks.count_one)


class Lineage:
    """Identity, epoch and ancestors of one copy of a policy."""

    def __init__(self, key: bytes = b"") -> None:
        self.seal = Seal(randbits(64), 0, key)
        self.process = -1  # `Forks.count` when its epoch began
        self._epochs: list[int] = []
        self._first: list[int] = []  # round of each epoch

    def begin(self, number: int) -> None:
        """Begin an epoch of its own with this round."""
        self.process = Forks.count
        self.seal = self.seal._replace(epoch=randbits(64))
        self._epochs.append(self.seal.epoch)
        self._first.append(number)
        del self._epochs[:-MOST_EPOCHS], self._first[:-MOST_EPOCHS]

    def epoch_of(self, number: int) -> int | None:
        """Epoch of a round that this copy, or one it descends from, has given."""
        if self._first and number >= self._first[-1]:
            return self._epochs[-1]
        place = bisect_right(self._first, number) - 1
        return self._epochs[place] if place >= 0 else None

    def to_plain(self) -> tuple[int, list[tuple[int, int]]]:
        """Identity, and each epoch with its first round."""
        return self.seal.policy, list(zip(self._epochs, self._first, strict=True))

    def restore(self, identity: int, epochs: list[tuple[int, int]], last_round: int) -> None:
        """Descend from the copy that `to_plain` described, whose last round this is."""
        arguments.integer("identity", identity, 0, LARGEST)
        starts = [first for _, first in epochs]
        if starts != sorted(set(starts)) or any(not 1 <= n <= last_round for n in starts):
            raise ArgumentError("epochs must begin in different rounds that were given, in order")
        self.seal = self.seal._replace(policy=identity)
        self._epochs = [arguments.integer("epoch", epoch, 0, LARGEST) for epoch, _ in epochs]
        self._first = starts
