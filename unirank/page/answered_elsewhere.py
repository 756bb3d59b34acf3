"""Which rounds of other copies of a policy were answered here: a token is learnt from once.

A copy that was loaded from the same file gives rounds of its own, under an epoch of its own. Its
tokens may be answered here. For each epoch the answered rounds are bits of a window: those before
it count as answered. Both windows and epochs are limited, so memory is bounded; the epoch that was
met longest ago is forgotten.
"""

from collections.abc import Iterator

import numpy as np

from unirank.errors import ArgumentError

WINDOW = 2**17  # rounds of an epoch
MOST_EPOCHS = 1024


class AnsweredElsewhere:
    """A set of (epoch, round)."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}  # by epoch, the one met longest ago first
        self._bits: dict[int, bytearray] = {}  # by epoch; bit n stands for round first + n

    def check(self, epoch: int, number: int) -> None:
        """Raise ArgumentError if this round was answered, or is too old to tell."""
        if epoch not in self._first:
            return
        place = number - self._first[epoch]
        if place < 0:
            raise ArgumentError(
                f"round {number} of another copy is too old: the last {WINDOW} rounds of each copy "
                "can be answered"
            )
        byte, bit = divmod(place, 8)
        bits = self._bits[epoch]
        if byte < len(bits) and bits[byte] >> bit & 1:
            raise ArgumentError(f"round {number} of another copy was already updated")

    def add(self, epoch: int, number: int) -> None:
        """Count the round as answered; `check` has allowed it."""
        first = self._first.pop(epoch, max(0, number - WINDOW // 2) // 8 * 8)
        bits = self._bits.pop(epoch, bytearray())
        byte, bit = divmod(number - first, 8)
        bits.extend(bytes(max(0, byte + 1 - len(bits))))
        bits[byte] |= 1 << bit
        too_long = max(0, len(bits) - WINDOW // 8)
        del bits[:too_long]
        self._first[epoch], self._bits[epoch] = first + 8 * too_long, bits
        if len(self._first) > MOST_EPOCHS:
            oldest = next(iter(self._first))
            del self._first[oldest], self._bits[oldest]

    def __contains__(self, answered: tuple[int, int]) -> bool:
        try:
            self.check(*answered)
        except ArgumentError:
            return True
        return False

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for epoch, first in self._first.items():
            bits = np.unpackbits(np.frombuffer(self._bits[epoch], np.uint8), bitorder="little")
            yield from ((epoch, first + place) for place in np.flatnonzero(bits).tolist())

    def to_plain(self) -> list[tuple[int, int, bytes]]:
        """Epoch, first round and bits of each."""
        return [(epoch, first, bytes(self._bits[epoch])) for epoch, first in self._first.items()]

    def restore(self, plain: list[tuple[int, int, bytes]]) -> None:
        """Take over what `to_plain` gave; it may come from a forged file."""
        for epoch, first, bits in plain:
            if first < 0 or first % 8 or len(bits) > WINDOW // 8 or len(plain) > MOST_EPOCHS:
                raise ArgumentError("answered rounds of other copies must be windows of bits")
            self._first[epoch], self._bits[epoch] = first, bytearray(bits)
